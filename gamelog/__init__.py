"""Record, replay and verify games that people play at a table.

The public API consists of the names below and four modules: `gamelog.game` (for authors of games),
`gamelog.games` (the installed games), `gamelog.archive` (many records) and `gamelog.testing`. Each name is
loaded on first use, so ``import gamelog`` is fast. docs/api.md shows examples.
"""

from importlib import import_module

from gamelog.loading import load
from gamelog.version import __version__ as __version__

TYPE_CHECKING = False  # importing `typing` would double the import time
if TYPE_CHECKING:
    from gamelog import archive as archive
    from gamelog import game as game
    from gamelog import games as games
    from gamelog import testing as testing
    from gamelog.errors import GamelogError, Refused
    from gamelog.finding import Finding
    from gamelog.play.judging.verdict import Verdict, validate
    from gamelog_front.drawing import html, svg
    from gamelog_front.reading import read, simulate
    from gamelog_front.recorder import Recorder, create, open
    from gamelog_front.replay import Replay, Step

_HOMES = {
    "gamelog.errors": "GamelogError Refused",
    "gamelog_front.drawing": "html svg",
    "gamelog_front.reading": "read simulate",
    "gamelog_front.recorder": "Recorder create open",
    "gamelog_front.replay": "Replay Step",
    "gamelog.finding": "Finding",
    "gamelog.play.judging.verdict": "Verdict validate",
}
"""Public names by the module that defines them."""

_MODULES = ("archive", "game", "games", "testing")
"""Public modules. They are attributes too, so ``import gamelog`` is enough to reach them."""

__all__ = [
    "Finding",
    "GamelogError",
    "Recorder",
    "Refused",
    "Replay",
    "Step",
    "Verdict",
    "create",
    "games",
    "html",
    "open",
    "read",
    "simulate",
    "svg",
    "validate",
]


def __getattr__(name: str) -> object:
    """Return a public name and load it on first use."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    value = globals()[name] = load(__name__, name, _HOMES)
    return value


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*__all__, *_MODULES, "__version__"})
