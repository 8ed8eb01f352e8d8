"""Record, replay and verify games that people play at a table.

Whatever is public can be reached from here: the names below, and the modules `gamelog.game` (for authors of
games), `gamelog.games` (those that are installed), `gamelog.archive` (many records) and `gamelog.testing`. A
name is loaded when it is first asked for, so that ``import gamelog`` costs next to nothing. docs/api.md shows
all of it at work.
"""

from importlib import import_module

from gamelog.loading import load

__version__ = "0.1.0"

TYPE_CHECKING = False  # `typing` would be half of what the import costs
if TYPE_CHECKING:
    from gamelog import archive as archive
    from gamelog import game as game
    from gamelog import games as games
    from gamelog import testing as testing
    from gamelog.errors import GamelogError, Refused
    from gamelog.finding import Finding
    from gamelog.front.drawing import html, svg
    from gamelog.front.reading import read, simulate
    from gamelog.front.recorder import Recorder, create, open
    from gamelog.front.replay import Replay, Step
    from gamelog.play.judging.verdict import Verdict, validate

_HOMES = {
    "errors": "GamelogError Refused",
    "front.drawing": "html svg",
    "front.reading": "read simulate",
    "front.recorder": "Recorder create open",
    "front.replay": "Replay Step",
    "finding": "Finding",
    "play.judging.verdict": "Verdict validate",
}
"""The names that live in each module."""

_MODULES = ("archive", "game", "games", "testing")
"""The public modules: attributes as well, so that ``import gamelog`` alone leads to everything."""

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
    """A public name, loaded when it is first asked for."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    value = globals()[name] = load(__name__, name, _HOMES)
    return value


def __dir__() -> list[str]:
    """The public names, before as after they are loaded."""
    return sorted({*__all__, *_MODULES, "__version__"})
