"""The loop that plays any game: dice or links answer chance, players or bots the rest, or time runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import product
from typing import Any
from uuid import UUID

from msgspec import structs

from gamelog.chance.commit import FORFEITS, Chain, Chains
from gamelog.chance.rng import Random, generator
from gamelog.chance.sources import ChanceSource, Seeded
from gamelog.errors import BadSetup, BrokenGame, Endless, PlayError
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame, Bot
from gamelog.play.contract.registry import distribution
from gamelog.play.contract.seats import lists_nothing, sit_down
from gamelog.play.fold import common
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.start import check_players
from gamelog.play.recording.header import new_header
from gamelog.record import chain
from gamelog.record.envelope import TABLE, DiceSpec, Event, Header, Seat, body

ROLLS = 4_096
"""Links of a seat's chain in simulated games: several times what the longest of them need."""

Decide = Callable[[Fold, str], Event]
"""Chooses a legal event for a seat; may raise to stop the game."""


def drive(
    fold: Fold,
    decide: Decide,
    source: ChanceSource,
    clock: Callable[[Fold], int],
    secrets: Chains | None = None,
    max_events: int | None = None,
    order: Random | None = None,
) -> Iterator[Event]:
    """Play `fold` to its end, yielding each event as it is taken up, stamped with ``n`` and `clock`'s ``t``.

    Of seats that decide together `order` says which is asked first, and of chance and those who may act
    meanwhile which comes first; without it seats are asked in their order, and chance comes first.
    A record with commit-reveal dice needs the `secrets` of its seats; `source` is then not asked.
    Raises `PlayError` when `decide` or `source` gives an event that the game refuses, `BrokenGame` when the
    game lists nothing for who has to act, says nothing of what is pending, or gives no event, `Endless` when
    the game has not ended after event `max_events`, and KeyError when a seat's chain is used up.
    """
    while True:
        pending = fold.pending
        lying = fold.reveals.dealer.lying if fold.reveals and secrets and fold.reveals.dealer else 0
        if pending.outcome and not lying:
            return
        if max_events is not None and fold.n >= max_events:
            raise Endless(
                Message.of(
                    "{=title} has not ended after {=max_events} events.",
                    title=fold.game.title,
                    max_events=f"{max_events:,}",
                )
            )
        t = clock(fold)
        if pending.next_timeout and fold.session.clock(t) >= pending.next_timeout.at:
            event = pending.next_timeout.event
        elif fold.reveals and secrets and (pending.outcome or fold.reveals.missing):
            seat, steps = (TABLE, lying) if pending.outcome else (fold.reveals.missing[0], 1)
            event = common.Reveal(
                0, 0, seat, seat=seat, link=secrets.link(seat, fold.reveals.shown[seat], steps)
            )
        elif pending.chance and not (order and pending.by and not fold.reveals and order.random() < 0.5):
            book = fold.reveals if fold.reveals and fold.reveals.lies_closed else None
            dealt = secrets.link(TABLE, book.shown[TABLE], lying + 1) if secrets and book else None
            results = fold.due_results(dealt) or source.results(pending.chance.draws, fold.chances)
            event = _event(fold, Message("chance"), fold.game.chance(fold.state, results))
        elif pending.by:
            event = _decided(
                fold, order.choice(pending.by) if order and pending.together else pending.by[0], decide
            )
        else:
            raise _stuck(fold, Message("pending names neither who is to act, nor chance, nor an outcome"))
        event = structs.replace(event, n=fold.n + 1, t=t)
        failure = fold.push(event)
        if failure:
            raise PlayError(
                Message.of(
                    "{=title}, event {n}: {problem}.",
                    title=fold.game.title,
                    n=event.n,
                    problem=failure.sentence,
                )
            )
        if fold.reveals:
            fold.heads.append(chain.link(fold.heads[-1], body(event)))
        yield event


def _decided(fold: Fold, seat: str, decide: Decide) -> Event:
    """Return what `decide` chooses for `seat`. Raises `BrokenGame` where there is nothing to choose from."""
    try:
        event = decide(fold, seat)
    except Exception as error:
        if not lists_nothing(fold.game, fold.state, seat):
            raise
        raise _stuck(
            fold, Message.of("{@seat} is to act, and legal lists nothing for that seat", seat=seat)
        ) from error
    return _event(fold, Message.of("the bot of {@seat}", seat=seat), event)


def _event(fold: Fold, giver: Message, event: object) -> Event:
    """Return `event`, which `giver` of the game gave. Raises `BrokenGame` if it is something else."""
    if not isinstance(event, Event):
        raise _stuck(
            fold,
            Message.of("{giver} gives {=type}, not an event", giver=giver, type=type(event).__name__),
        )
    return event


def _stuck(fold: Fold, why: Message) -> BrokenGame:
    """Return the error that a game cannot go on after what has been played."""
    game = fold.game
    return BrokenGame(
        Message.of(
            "{=title}, which comes with {=distribution}, cannot go on at event {n}: {why}.",
            title=game.title,
            distribution=distribution(game),
            n=fold.n + 1,
            why=why,
        )
    )


class Seating:
    """Bots at the seats of a game, each with a generator of its own."""

    def __init__(self, bots: Mapping[str, Bot], *seed: str | int) -> None:
        self._players = {seat: sit_down(bot, seat, generator(*seed, seat)) for seat, bot in bots.items()}

    def __call__(self, fold: Fold, seat: str) -> Event:
        """The event that the bot at `seat` chooses by what it may see. Raises `PlayError` without a bot."""
        if seat == TABLE and seat not in self._players:
            raise PlayError(
                Message.of(
                    "{=title} needs facts that a judge writes down, and has no bot called table to "
                    "make them up.",
                    title=fold.game.title,
                )
            )
        return self._players[seat](fold.game.observe(fold.state, None if seat == TABLE else seat))


def judged_by(game: AnyGame, bots: Mapping[str, Bot]) -> dict[str, Bot]:
    """`bots` at their seats, and the one that makes up what a judge writes down, where the game has it."""
    return {**bots, **({TABLE: game.bots[TABLE]} if TABLE in game.bots else {})}


def think_time_clock(rng: Random) -> Callable[[Fold], int]:
    """A clock for simulated games: decisions take 1 to 20 seconds, dice two."""

    def clock(fold: Fold) -> int:
        return fold.t + (2_000 if fold.game.pending(fold.state).chance else rng.randrange(1_000, 20_000))

    return clock


@cache
def seatings(bots: tuple[str, ...], seats: int) -> tuple[tuple[str, ...], ...]:
    """All different ways to seat `bots` at so many seats, each with its rotations behind it.

    Every bot sits as often as it is named at least, and where there are more bots than seats at most. Each
    bot sits at each seat equally often over all of them, and over the rotations of each.
    """
    named = {bot: bots.count(bot) for bot in bots}
    found: dict[tuple[str, ...], None] = {}
    for line in product(named, repeat=seats):
        counts = [(line.count(bot), times) for bot, times in named.items()]
        if all(have >= times for have, times in counts) or (
            len(bots) > seats and all(have <= times for have, times in counts)
        ):
            found |= dict.fromkeys(line[at:] + line[:at] for at in range(seats))
    return tuple(found)


def player_count(game: AnyGame, players: int | None, bots: Sequence[str]) -> int:
    """How many sit down: `players`, or as few as can. Raises `BadSetup` for a number or bots it has not."""
    players_bots = [bot for bot in game.bots if bot != TABLE]
    unknown = [bot for bot in bots if bot not in players_bots]
    if unknown or not bots:
        raise BadSetup(
            f"{game.title} has the bots {', '.join(players_bots)}"
            + (f', and no "{unknown[0]}".' if unknown else ".")
        )
    count = min(game.seats) if players is None else players
    check_players(game, count)
    return count


def simulate_game(
    game: AnyGame,
    seed: str,
    index: int,
    *,
    players: int,
    bots: tuple[str, ...] = ("random",),
    options: dict[str, Any] | None = None,
    board: str | dict[str, Any] | None = None,
    dice: str = "seeded",
    max_events: int | None = None,
) -> tuple[Header, list[Event]]:
    """Game `index` of a series: the same arguments give the same record, byte for byte.

    Raises `BadSetup` for what the game does not accept, and `Endless` for one that has not ended after event
    `max_events`.
    """
    head, secret, secrets = series_header(
        game, seed, index, players=players, bots=bots, options=options, board=board, dice=dice
    )
    if secrets:
        fold = Fold(head, game, heads=[chain.link(chain.GENESIS, body(head))])
    else:
        fold = Fold(structs.replace(head, dice=DiceSpec("table")), game)
    seating = Seating(judged_by(game, {seat.seat: game.bots[seat.bot or ""] for seat in head.seats}), head.id)
    clock = think_time_clock(generator(head.id, "pace"))
    return head, list(
        drive(fold, seating, Seeded(secret, head.id), clock, secrets, max_events, generator(head.id, "order"))
    )


def series_header(
    game: AnyGame,
    seed: str,
    index: int,
    *,
    players: int,
    bots: tuple[str, ...] = ("random",),
    options: dict[str, Any] | None = None,
    board: str | dict[str, Any] | None = None,
    dice: str = "seeded",
) -> tuple[Header, str, Chains | None]:
    """How game `index` of a series begins, the seed of its dice, and what its seats keep secret.

    The `lineups` of `bots` are dealt in turn, one a game. `dice` is where the record says they come
    from: ``table``, ``seeded`` or ``commit-reveal``, whose secrets then follow from the seed and are
    none. The record's id, its dice and its bots' chance follow from all that makes it another game:
    the game and its rules, seed and index, seats, options, board and dice. Raises `BadSetup` for
    what the game does not accept.
    """
    seats = game.seats[players]
    lines = seatings(bots, players)
    chosen = dict(zip(seats, lines[index % len(lines)], strict=True))
    plan = new_header(
        game,
        [Seat(seat, name=f"{bot} {seat}", bot=bot) for seat, bot in chosen.items()],
        id=str(UUID(int=0)),
        started=(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=index)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        options=options,
        board=board,
        tags={"simulated": f"{seed}/{index}"},
    )
    digest = sha256(dice.encode() + b" " + body(plan)).digest()
    id_, secret = str(UUID(bytes=digest[:16], version=4)), digest[16:].hex()
    secrets = None
    spec = DiceSpec("table")
    if dice == "seeded":
        spec = DiceSpec("seeded", seed=secret)
    elif dice == "commit-reveal":
        who = (*seats, *((TABLE,) if game.hides and game.chance_events else ()))
        secrets = Chains(
            {seat: Chain(id_, seat, sha256(f"{secret} {seat}".encode()).hexdigest(), ROLLS) for seat in who}
        )
        spec = DiceSpec("commit-reveal", commitments=secrets.commitments, forfeit=FORFEITS[0])
    return structs.replace(plan, id=id_, dice=spec), secret, secrets
