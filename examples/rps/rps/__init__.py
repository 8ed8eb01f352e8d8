"""Rock, paper, scissors with commitments: no player has to trust another, and only the author can open a commitment."""

import re
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from gamelog import game

Hand = Literal["rock", "paper", "scissors"]
HANDS: tuple[Hand, ...] = get_args(Hand)  # each is beaten by the next
SALT, DIGEST = re.compile(r"[0-9A-Za-z]{16,100}"), re.compile(r"[0-9a-f]{64}")


class Commit(game.Event, frozen=True, tag="commit"):
    digest: str


class Open(game.Event, frozen=True, tag="open"):
    hand: Hand
    salt: str


class Beaten(game.Effect, frozen=True, tag="beaten"):
    seat: str
    hand: Hand


class Options(Struct, frozen=True, kw_only=True):
    points: Annotated[int, Meta(ge=1, le=99)] = 3


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]
    points: int


class State(Struct, frozen=True):
    setup: Setup
    points: tuple[int, ...] = (0, 0)
    round: int = 1
    digests: tuple[str, ...] = ("", "")
    hands: tuple[Hand | Literal[""], ...] = ("", "")  # the open hands
    last: tuple[Hand | Literal[""], ...] = ("", "")  # the hands of the round before


def digest(seat: str, round: int, hand: str, salt: str) -> str:
    """Return the commitment of a seat in a round: it hides the hand, and no other hand fits it."""
    return sha256(f"{seat}/{round}/{hand}/{salt}".encode()).hexdigest()


def pending(state: State) -> game.Pending:
    seats = state.setup.seats
    won = tuple(seat for seat, points in zip(seats, state.points, strict=True) if points >= state.setup.points)
    if won:
        return game.Pending(outcome=game.Outcome(won, "points"))
    missing = state.hands if all(state.digests) else state.digests
    return game.Pending(by=tuple(seat for seat, there in zip(seats, missing, strict=True) if not there), together=True)


def check(state: State, event: Commit | Open) -> game.Violation | None:
    owed = pending(state)
    if owed.outcome:
        return game.forbids("RP-4", "the game is over")
    opening = all(state.digests)
    if isinstance(event, Open) != opening:
        return (
            game.forbids("RP-2", "both players have committed and must open now")
            if opening
            else game.forbids("RP-2", "both players must commit first")
        )
    if event.by not in owed.by:
        if opening:
            return game.forbids("RP-2", "{@by} has already opened and must wait for the other player", by=event.by)
        return game.forbids("RP-1", "{@by} has already committed and must wait for the other player", by=event.by)
    if isinstance(event, Commit):
        good = DIGEST.fullmatch(event.digest)
        return None if good else game.forbids("RP-1", "a commitment must have 64 hexadecimal digits in lower case")
    if not SALT.fullmatch(event.salt):
        return game.forbids("RP-1", "a salt must have at least 16 letters and digits")
    kept = digest(event.by, state.round, event.hand, event.salt) == state.digests[state.setup.seats.index(event.by)]
    return None if kept else game.forbids("RP-2", "{@by} committed to something else", by=event.by)


def apply(state: State, event: Commit | Open) -> State:
    if event.by not in state.setup.seats:
        raise game.CannotApply("Only players commit and open.")
    at = state.setup.seats.index(event.by)
    if isinstance(event, Commit):
        return replace(state, digests=(*state.digests[:at], event.digest, *state.digests[at + 1 :]))
    hands = (*state.hands[:at], event.hand, *state.hands[at + 1 :])
    if not all(hands):
        return replace(state, hands=hands)
    points = tuple(have + (at == winner(hands)) for at, have in enumerate(state.points))
    return State(state.setup, points, state.round + 1, last=hands)


def winner(hands: tuple[str, ...]) -> int | None:
    one, other = (HANDS.index(hand) for hand in hands if hand in HANDS)
    return None if one == other else int((one + 1) % len(HANDS) == other)


def legal(state: State, seat: str) -> game.Legal:
    """Return no list: only the player knows what the seat can open."""
    return game.Legal((), cut=True) if seat in pending(state).by else game.Legal(())


def commitments(state: State, seat: str) -> game.Commitments:
    """Return the commitments that a tap can make. The player's device draws the salt and keeps it."""
    if seat not in pending(state).by:
        return game.Commitments()
    if all(state.digests):
        return game.Commitments(opens=state.digests[state.setup.seats.index(seat)])
    return game.Commitments(
        tuple(
            game.Commitment(
                f"{seat}/{state.round}/{hand}/{game.SALT}", Commit(0, 0, seat, game.DIGEST), Open(0, 0, seat, hand, game.SALT)
            )
            for hand in HANDS
        )
    )


def effects(before: State, _event: game.Event, after: State) -> tuple[game.Effect, ...]:
    seats, outcome = after.setup.seats, pending(after).outcome
    if after.round == before.round:
        return ()
    at = winner(after.last)
    beaten = () if at is None else (Beaten(seats[at], after.last[at] or HANDS[0]),)
    turn = game.TurnOver(seats[before.round % 2 - 1], None if outcome else seats[after.round % 2 - 1])
    return (*beaten, turn, game.Over(outcome.winners, outcome.reason)) if outcome else (*beaten, turn)


ICONS = {
    "rock": "M-21 9L-15-10L1-19L16-11L22 5L13 18H-13ZM-10-5L1-12L5-4L-5 3Z",
    "paper": "M-16-22H7L16-13V22H-16ZM-9-8V-4H9V-8ZM-9 1V5H9V1ZM-9 10V14H9V10Z",
    "scissors": "M-10 5a8 8 0 1 0 .01 0ZM-10 9a4 4 0 1 1-.01 0ZM10 5a8 8 0 1 0 .01 0ZM10 9a4 4 0 1 1-.01 0Z"
    "M-12 4L9-23L14-20L-5 6ZM12 4L-9-23L-14-20L5 6Z",
}


@game.cached_by_identity
def ground(setup: Setup) -> game.BoardLayout:
    """Return a place for the hand of each player, and a tray below it for the points."""
    cells = [
        cell
        for at, seat in enumerate(setup.seats)
        for cell in (
            game.Cell(seat, 1.8 * at, 0, label="hand", w=1.5, h=1.7, seat=seat),
            game.Cell(f"{seat} points", 1.8 * at, 1.3, "tray", label="points", w=1.5, h=0.7),
        )
    ]
    return game.BoardLayout(tuple(cells), icons=tuple(ICONS.items()))


def scene(state: State, _seat: str | None) -> game.Scene:
    pieces, seats = list[game.Piece](), state.setup.seats
    begun = any(state.digests)
    for seat, committed, hand, last in zip(seats, state.digests, state.hands, state.last, strict=True):
        shown = hand if begun else last
        if committed or shown:
            pieces.append(game.Piece(seat, "tile", seat, shown, hidden=not shown))
    pieces += [
        game.Piece(f"{seat} points", "disc", seat) for seat, count in zip(seats, state.points, strict=True) for _ in range(count)
    ]
    at = None if begun or not all(state.last) else winner(state.last)
    marks = () if at is None else (game.Mark(f"{seats[at]} points", "badge", "+1", seats[at]),)
    return game.Scene(ground(state.setup), tuple(pieces), marks=marks, captions=(game.Caption("round", str(state.round)),))


class Player:
    """A bot at a seat. It remembers the hand and the salt of its commitment."""

    def __init__(self, choose: Callable[[State, str, Random], Hand], seat: str, rng: Random) -> None:
        self.choose, self.seat, self.rng = choose, seat, rng
        self.hand, self.salt = HANDS[0], ""

    def __call__(self, state: State) -> Commit | Open:
        if all(state.digests):
            return Open(0, 0, self.seat, self.hand, self.salt)
        self.hand, self.salt = self.choose(state, self.seat, self.rng), f"{self.rng.getrandbits(128):032x}"
        return Commit(0, 0, self.seat, digest(self.seat, state.round, self.hand, self.salt))


def random_hand(_state: State, _seat: str, rng: Random) -> Hand:
    return rng.choice(HANDS)


def greedy(state: State, seat: str, rng: Random) -> Hand:
    """Return the hand that beats the other player's last hand, most of the time."""
    other = state.last[1 - state.setup.seats.index(seat)]
    return HANDS[(HANDS.index(other) + 1) % len(HANDS)] if other and rng.random() < 0.6 else rng.choice(HANDS)


GAME: game.Game[State, Commit | Open, Options, None] = game.Game(
    id="rps",
    title="Rock, Paper, Scissors",
    rules_version="1.0",
    seats={2: ("red", "blue")},
    Options=Options,
    events=(Commit, Open),
    start=lambda options, _board, seats: State(Setup(seats, options.points)),
    pending=pending,
    together=True,
    check=check,
    apply=apply,
    legal=legal,
    effects=effects,
    commitments=commitments,
    score=lambda state: dict(zip(state.setup.seats, state.points, strict=True)),
    scene=scene,
    messages={
        "commit": "{@by} has chosen and committed.",
        "open": "{@by} shows {hand}.",
        "beaten": "A point for {@seat}: {hand} wins.",
    },
    translation=partial(game.translation, __name__),
    bots={"random": game.MemoryBot(partial(Player, random_hand)), "greedy": game.MemoryBot(partial(Player, greedy))},
    rules=lambda: files(__package__).joinpath("RULES.md").read_text("utf-8"),
)
