"""Pages and pictures that commands write."""

from __future__ import annotations

from pathlib import Path

from gamelog.errors import NotReadable
from gamelog.record.placing import holds_record
from gamelog_cli.exits import usage
from gamelog_cli.output import save


def save_page(out: Path, content: str) -> None:
    """Save what was made of a record. Over records nothing is written: that is a wrong usage."""
    try:
        if holds_record(out):
            usage(f"{out} holds records, and nothing is written over them; name another file.")
    except OSError as error:
        raise NotReadable(f"{out} cannot be written: {error.strerror}.") from None
    save(out, content)
