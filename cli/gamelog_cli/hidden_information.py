"""The notice that hidden information is left out, in games that have some."""

from __future__ import annotations

from gamelog.message import Message

HIDDEN = Message.of(
    "The recorder shows only information that all players know. To show more, add --seat "
    "PLAYER, or --reveal for everything."
)
"""Notice for games with hidden information."""
