"""Last one standing: in turn each seat throws a die, and who throws a 1 is out. The last one left wins, alone or with a team.

It tests an outcome with places, payoffs and teams, and seats that leave an unfinished game.
"""

from __future__ import annotations

from msgspec import Struct, structs

from gamelog import game

COLOURS = ("red", "blue", "green", "yellow")


class Throw(game.Event, frozen=True, tag="throw"):
    """The seat throws the die."""


class Die(game.Event, frozen=True, tag="die"):
    """The face of the die."""

    face: int


class Options(Struct, frozen=True):
    teams: bool = False


class Setup(Struct, frozen=True):
    seats: tuple[str, ...]
    teams: bool


class State(Struct, frozen=True):
    setup: Setup
    gone: tuple[str, ...] = ()
    turn: str = ""
    thrown: bool = False


def start(options: Options, _board: None, seats: tuple[str, ...]) -> State:
    if options.teams and len(seats) != 4:
        raise ValueError("teams are for four players")
    return State(Setup(seats, options.teams), turn=seats[0])


def teams(setup: Setup) -> dict[str, tuple[str, ...]]:
    return {"north": setup.seats[::2], "south": setup.seats[1::2]} if setup.teams else {}


def outcome(state: State) -> game.Outcome | None:
    seats, sides = state.setup.seats, teams(state.setup)
    places: tuple[tuple[str, ...], ...]
    left = [seat for seat in seats if seat not in state.gone]
    if sides:
        won = next((team for team in sides.values() if set(left) <= set(team)), None)
        places = (won, tuple(seat for seat in seats if seat not in won)) if won else ()
    else:
        won = (left[0],) if len(left) == 1 else None
        places = tuple((seat,) for seat in (left[0], *reversed(state.gone)))
    if won is None:
        return None
    stake = len(seats) / len(won) - 1
    paid = {seat: int(stake) if seat in won else -1 for seat in seats}
    return game.Outcome(won, "last", places, paid, sides)


def pending(state: State) -> game.Pending:
    if state.thrown:
        return game.Pending(chance=game.ChanceDue("die", state.turn, (game.Dice(1, 6, state.turn),)))
    ended = outcome(state)
    return game.Pending(outcome=ended) if ended else game.Pending(by=(state.turn,))


def check(state: State, event: Throw | Die) -> game.Violation | None:
    if outcome(state) or event.by != state.turn or isinstance(event, Die) != state.thrown:
        return game.Violation("LS-1", "nobody may do that now")
    return (
        game.Violation("LS-2", "there is no such face")
        if isinstance(event, Die) and event.face not in range(1, 7)
        else None
    )


def apply(state: State, event: Throw | Die) -> State:
    if isinstance(event, Throw):
        return structs.replace(state, thrown=True)
    if not state.thrown:
        raise game.CannotApply("Nobody has thrown.")
    gone = (*state.gone, state.turn) if event.face == 1 else state.gone
    seats = state.setup.seats
    order = seats[seats.index(state.turn) + 1 :] + seats
    return structs.replace(
        state, gone=gone, thrown=False, turn=next(seat for seat in order if seat not in gone)
    )


def legal(state: State, seat: str) -> game.Legal:
    return game.Legal((Throw(0, 0, seat),) if seat in pending(state).by else ())


def effects(before: State, event: Throw | Die, after: State) -> tuple[game.Effect, ...]:
    if isinstance(event, Throw):
        return ()
    told: list[game.Effect] = [game.Rolled(event.by, (event.face,))]
    told += [game.Out(seat) for seat in after.gone if seat not in before.gone]
    ended = outcome(after)
    told.append(game.TurnOver(event.by, None if ended else after.turn))
    return (*told, game.Over(ended.winners, ended.reason)) if ended else tuple(told)


def scene(state: State, _seat: str | None) -> game.Scene:
    cells = {seat: game.Cell(seat, at, 0, seat=seat) for at, seat in enumerate(state.setup.seats)}
    left = (game.Piece(seat, "pawn", seat) for seat in cells if seat not in state.gone)
    return game.Scene(game.BoardLayout(tuple(cells.values())), tuple(left))


def retire(state: State, seat: str) -> State | game.Violation:
    if seat in state.gone or outcome(state):
        return game.Violation("LS-1", "that seat is out")
    after = structs.replace(state, turn=seat, thrown=True)
    gone = apply(after, Die(0, 0, seat, 1))
    return (
        gone
        if seat == state.turn
        else structs.replace(gone, turn=state.turn, thrown=state.thrown and outcome(gone) is None)
    )


RULES = """# Last one standing

- **LS-1** In turn each seat takes the die and throws it. A seat that throws a 1 is out; the last seat, or the last team, wins.
- **LS-2** The die has six faces.
"""

GAME: game.Game[State, Throw | Die, Options, None] = game.Game(
    id="standing",
    title="Last one standing",
    rules_version="1.0",
    seats={players: COLOURS[:players] for players in (2, 3, 4)},
    Options=Options,
    events=(Throw, Die),
    chance_events=(Die,),
    start=start,
    pending=pending,
    check=check,
    apply=apply,
    legal=legal,
    chance=lambda state, results: Die(0, 0, state.turn, int(results[0][0])),
    effects=effects,
    scene=scene,
    messages={"throw": "{@by} takes the die.", "die": ""},
    rules=lambda: RULES,
    retire=retire,
)
