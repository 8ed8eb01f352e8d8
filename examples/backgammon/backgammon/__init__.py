"""Backgammon, a single game with the doubling cube: dice, offers, and a stake that the outcome pays."""

from __future__ import annotations

from functools import partial
from importlib.resources import files
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from gamelog import game

from .position import BAR, CHECKERS, OFF, START, Men, moved, pips, playable, refusal, without
from .scene import cell_of, scene

HIGHEST = 64
WORDS = {BAR: "bar", OFF: "off"}


class Opening(game.Event, frozen=True, tag="opening"):
    """Each player throws one die; the faces are in the order of the seats."""

    faces: tuple[int, int]


class Double(game.Event, frozen=True, tag="double"):
    """The player to move offers to double the stake."""


class Take(game.Event, frozen=True, tag="take"):
    """The other player accepts the double."""


class Drop(game.Event, frozen=True, tag="drop"):
    """The other player refuses the double and loses."""


class Roll(game.Event, frozen=True, tag="roll"):
    """The player to move takes the dice."""


class Thrown(game.Event, frozen=True, tag="dice"):
    """The dice show their faces."""

    faces: tuple[int, int]


class Move(game.Event, frozen=True, tag="move"):
    """A checker moves from `src`, counted from its own side (25: the bar), by the number of a die."""

    src: int
    die: int


class Went(game.Effect, frozen=True, tag="went"):
    """A checker went from `start` to `end`: points from the player's own side, the bar, or off."""

    seat: str
    start: str
    end: str


Event = Opening | Double | Take | Drop | Roll | Thrown | Move


class Options(Struct, frozen=True):
    cube: bool = True


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]
    cube: bool


class State(Struct, frozen=True):
    """A position. ``phase``: opening, turn (before the dice), answer (to a double), rolling, moving; ``owner``: the cube's."""

    setup: Setup
    men: Men = (START, START)
    phase: str = "opening"
    actor: int = 0
    dice: tuple[int, ...] = ()
    cube: int = 1
    owner: int | None = None
    dropped: bool = False


DECISIONS = {"turn": (Roll, Double), "answer": (Take, Drop), "moving": (Move,)}


def outcome(state: State) -> game.Outcome | None:
    off = [men[OFF] == CHECKERS for men in state.men]
    if not (state.dropped or any(off)):
        return None
    winner = state.actor if state.dropped else off.index(True)
    theirs = state.men[1 - winner]
    worth = 1 if state.dropped or theirs[OFF] else 3 if any(theirs[19:]) else 2
    reason = "dropped" if state.dropped else {1: "off", 2: "gammon", 3: "backgammon"}[worth]
    won, lost = state.setup.seats[winner], state.setup.seats[1 - winner]
    return game.Outcome((won,), reason, payoffs={won: worth * state.cube, lost: -worth * state.cube})


def pending(state: State) -> game.Pending:
    seats, ended = state.setup.seats, outcome(state)
    if ended:
        return game.Pending(outcome=ended)
    if state.phase == "opening":
        return game.Pending(chance=game.ChanceDue("opening", game.TABLE, tuple(game.Dice(1, 6, seat) for seat in seats)))
    if state.phase == "rolling":
        return game.Pending(chance=game.ChanceDue("dice", seats[state.actor], (game.Dice(2, 6, seats[state.actor]),)))
    return game.Pending(by=(seats[state.actor ^ (state.phase == "answer")],))


def check(state: State, event: Event) -> game.Violation | None:
    due = pending(state)
    if due.outcome:
        return game.forbids("BG-10", "the game is over")
    if isinstance(event, Opening | Thrown):
        if due.chance is None or due.chance.do != type(event).__struct_config__.tag or event.by != due.chance.by:
            return game.forbids("BG-2", "this event cannot come now")
        strange = [face for face in event.faces if face not in range(1, 7)]
        return game.forbids("BG-3", "a die cannot show {n}", n=strange[0]) if strange else None
    if not due.by or type(event) not in DECISIONS[state.phase]:
        return game.forbids("BG-2", "this event cannot come now")
    if event.by != due.by[0]:
        return game.forbids("BG-2", "{@seat} must act next", seat=due.by[0])
    if isinstance(event, Double) and not may_double(state):
        return game.forbids("BG-8", "{@by} may not double now", by=event.by)
    return refusal(state.men, state.actor, state.dice, event.src, event.die) if isinstance(event, Move) else None


def may_double(state: State) -> bool:
    return state.setup.cube and state.owner in (None, state.actor) and state.cube < HIGHEST


def apply(state: State, event: Event) -> State:
    match event:
        case Opening(faces=(one, other)) | Thrown(faces=(one, other)) if {one, other} <= {*range(1, 7)}:
            if isinstance(event, Opening):
                if one == other:
                    return state
                state = replace(state, actor=int(other > one))
            return _next_turn_if_stuck(replace(state, phase="moving", dice=tuple(sorted((one, other))) * (1 + (one == other))))
        case Roll():
            return replace(state, phase="rolling")
        case Double() if state.cube < HIGHEST:
            return replace(state, phase="answer")
        case Take() if state.phase == "answer":
            return replace(state, phase="rolling", cube=state.cube * 2, owner=1 - state.actor)
        case Drop() if state.phase == "answer":
            return replace(state, dropped=True)
        case Move(src=src, die=die) if die in state.dice and (men := moved(state.men, state.actor, src, die)):
            return _next_turn_if_stuck(replace(state, men=men, dice=without(state.dice, die)))
    raise game.CannotApply("This is impossible with these checkers and dice.")


def _next_turn_if_stuck(state: State) -> State:
    """Return `state`, or the next turn if no die can be played any more."""
    if outcome(state) or playable(state.men, state.actor, state.dice):
        return state
    return replace(state, phase="turn", dice=(), actor=1 - state.actor)


def legal(state: State, seat: str) -> game.Legal:
    if seat not in pending(state).by:
        return game.Legal(())
    if state.phase == "answer":
        return game.Legal((Take(0, 0, seat), Drop(0, 0, seat)))
    if state.phase == "turn":
        return game.Legal((Roll(0, 0, seat), *((Double(0, 0, seat),) if may_double(state) else ())))
    tries = (Move(0, 0, seat, src, die) for src in range(BAR, 0, -1) for die in sorted(set(state.dice), reverse=True))
    return game.Legal(tuple(one for one in tries if refusal(state.men, state.actor, state.dice, one.src, one.die) is None))


def chance(state: State, results: game.Results) -> Event:
    if state.phase == "opening":
        return Opening(0, 0, game.TABLE, (int(results[0][0]), int(results[1][0])))
    return Thrown(0, 0, state.setup.seats[state.actor], (int(results[0][0]), int(results[0][1])))


def canonical(event: Event) -> Event:
    return replace(event, faces=(min(event.faces), max(event.faces))) if isinstance(event, Thrown) else event


def effects(before: State, event: Event, after: State) -> tuple[game.Effect, ...]:
    seats, found = after.setup.seats, list[game.Effect]()
    if isinstance(event, Opening):
        found += [game.Rolled(seat, (face,)) for seat, face in zip(seats, event.faces, strict=True)]
    elif isinstance(event, Thrown):
        found.append(game.Rolled(event.by, event.faces))
    elif isinstance(event, Move):
        start, end = (WORDS.get(point, str(point)) for point in (event.src, max(event.src - event.die, OFF)))
        found.append(Went(event.by, start, end))
    if isinstance(event, Move) and after.men[1 - before.actor][BAR] > before.men[1 - before.actor][BAR]:
        found.append(game.Captured(event.by, cell_of(before.actor, event.src - event.die), seats[1 - before.actor]))
    ended = outcome(after)
    if ended or (after.phase == "turn" and before.phase != "turn"):
        turn = seats[before.actor] if before.phase != "opening" else seats[1 - after.actor]
        found.append(game.TurnOver(turn, None if ended else seats[after.actor]))
    return (*found, game.Over(ended.winners, ended.reason)) if ended else tuple(found)


def shorthand(state: State, words: tuple[str, ...]) -> tuple[Event, ...] | game.Violation | None:
    """Return the moves that ``13/8``, ``bar/20`` or ``6/off`` may mean: the start and the end of one checker."""
    if len(words) != 1 or words[0].count("/") != 1 or state.phase != "moving":
        return None
    src, dst = ({"bar": BAR, "off": OFF}.get(word, int(word) if word.isdecimal() else None) for word in words[0].split("/"))
    seat = state.setup.seats[state.actor]
    moves = [
        one for one in legal(state, seat).events if isinstance(one, Move) and (one.src, max(one.src - one.die, OFF)) == (src, dst)
    ]
    return tuple(moves[-1:]) or game.forbids("BG-4", "no checker can move {=move} now", move=words[0])


def greedy(state: State, seat: str, rng: Random) -> Event:
    """Run, hit and leave few single checkers; double when far ahead, and drop when far behind."""
    ahead = [pips(men) for men in state.men]
    lead = (ahead[1 - state.actor] - ahead[state.actor]) / max(ahead[state.actor], 1)
    if state.phase == "answer":
        return Drop(0, 0, seat) if lead > 0.25 else Take(0, 0, seat)
    if state.phase == "turn":
        return Double(0, 0, seat) if may_double(state) and lead > 0.12 else Roll(0, 0, seat)

    def worth(move: game.Event) -> tuple[int, float]:
        after = apply(state, move).men  # type: ignore[arg-type]  # the list holds this game's events
        own, other = after[state.actor], after[1 - state.actor]
        return own[OFF] + 2 * other[BAR] - sum(count == 1 for count in own[1:BAR]), rng.random()

    return max(legal(state, seat).events, key=worth)  # type: ignore[return-value]  # the same


GAME: game.Game[State, Event, Options, None] = game.Game(
    id="backgammon",
    title="Backgammon",
    rules_version="1.0",
    seats={2: ("white", "black")},
    Options=Options,
    events=(Opening, Double, Take, Drop, Roll, Thrown, Move),
    chance_events=(Opening, Thrown),
    start=lambda options, _board, seats: State(Setup(seats, options.cube)),
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    chance=chance,
    canonical=canonical,
    effects=effects,
    score=lambda state: {seat: 167 - pips(men) for seat, men in zip(state.setup.seats, state.men, strict=True)},
    unit="pips gone",
    scored=("men",),
    scene=scene,
    messages={
        "opening": "",
        "double": "{@by} offers to double the stake.",
        "take": "{@by} takes the double.",
        "drop": "{@by} drops.",
        "roll": "{@by} takes the dice.",
        "dice": "",
        "move": "",
        "went": "{@seat} plays {start}/{end}.",
        "captured": "{@by} hits {@loser}.",
    },
    translation=partial(game.translation, __name__),
    bots={"greedy": greedy},
    rules=lambda: files(__package__).joinpath("RULES.md").read_text("utf-8"),
    shorthand=shorthand,
)
