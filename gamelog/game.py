"""The names that the author of a game imports: `Game` and the types of its functions.

`Game` describes each of its members; docs/games.md is a guide. States, events and options are frozen
`msgspec` structs. A game needs nothing else of Gamelog. These names keep their meaning from release to
release:

>>> from gamelog.game import Dice, Event, Outcome, Pending, Violation
>>> class Throw(Event, frozen=True, tag="throw"):
...     '''The player takes the die.'''
>>> Throw(0, 0, "red")
Throw(n=0, t=0, by='red', id=None, as_played=False, v=1)
>>> Pending(by=("red",)).outcome is None
True
"""

from gamelog.chance.draws import Bag, Dice, Draw, Results, Shuffle, Weighted
from gamelog.chance.outcomes import highest_rolls
from gamelog.errors import CannotApply
from gamelog.message import Message, many
from gamelog.play.contract.boards import digest
from gamelog.play.contract.commitments import DIGEST, SALT, Commitment, Commitments
from gamelog.play.contract.effects import (
    Captured,
    Contest,
    Discarded,
    Effect,
    Income,
    Out,
    Over,
    Rolled,
    Threat,
    TurnOver,
)
from gamelog.play.contract.game import AnyGame, Bot, ChanceDue, Game, Legal, Pending, Timeout, without
from gamelog.play.contract.odds import Odds, beats, contest, contest_classes
from gamelog.play.contract.option_fields import option
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.scene import (
    BoardLayout,
    Caption,
    Cell,
    Link,
    Mark,
    MarkKind,
    Piece,
    PieceKind,
    Scene,
    Shape,
    Word,
    beside,
    cached_by_identity,
    rim,
)
from gamelog.play.contract.seats import MemoryBot
from gamelog.play.contract.translation import Translation, translation
from gamelog.play.contract.violation import Violation, forbids
from gamelog.record.envelope import ARBITER, TABLE, Event

__all__ = [
    "ARBITER",
    "DIGEST",
    "SALT",
    "TABLE",
    "AnyGame",
    "Bag",
    "BoardLayout",
    "Bot",
    "CannotApply",
    "Caption",
    "Captured",
    "Cell",
    "ChanceDue",
    "Commitment",
    "Commitments",
    "Contest",
    "Dice",
    "Discarded",
    "Draw",
    "Effect",
    "Event",
    "Game",
    "Income",
    "Legal",
    "Link",
    "Mark",
    "MarkKind",
    "MemoryBot",
    "Message",
    "Odds",
    "Out",
    "Outcome",
    "Over",
    "Pending",
    "Piece",
    "PieceKind",
    "Results",
    "Rolled",
    "Scene",
    "Shape",
    "Shuffle",
    "Threat",
    "Timeout",
    "Translation",
    "TurnOver",
    "Violation",
    "Weighted",
    "Word",
    "beats",
    "beside",
    "cached_by_identity",
    "contest",
    "contest_classes",
    "digest",
    "forbids",
    "highest_rolls",
    "many",
    "option",
    "rim",
    "translation",
    "without",
]
