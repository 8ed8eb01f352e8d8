"""The loop that plays a game: dice or links for chance, players or bots for decisions, and timeouts."""

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
from gamelog.play.contract.registry import distribution_of
from gamelog.play.contract.seats import has_no_legal_event, sit_down
from gamelog.play.fold import common
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.start import check_players
from gamelog.play.recording.header import new_header
from gamelog.record import chain
from gamelog.record.envelope import TABLE, DiceSpec, Event, Header, Seat, encode_body

ROLLS = 4_096
"""Number of links in the chain of a seat in simulated games: several times the need of the longest."""

Decide = Callable[[Fold, str], Event]
"""A function that chooses a legal event for a seat. It can raise an error to stop the game."""


def drive(
    fold: Fold,
    decide: Decide,
    source: ChanceSource,
    clock: Callable[[Fold], int],
    secrets: Chains | None = None,
    max_events: int | None = None,
    order: Random | None = None,
) -> Iterator[Event]:
    """Play `fold` to its end, and yield each event after it is folded, with ``n`` and the ``t`` of `clock`.

    `order` chooses between seats that decide together, and between chance and seats that can act at the same
    time. Without it, chance comes first, and seats decide in their order. A record with commit-reveal dice
    needs the `secrets` of its seats; `source` is not used then.

    Raises:
        PlayError: The game refuses an event from `decide` or `source`.
        BrokenGame: The game has no legal event for a seat that is to act, no pending event, or no event.
        Endless: The game has not ended after event `max_events`.
        KeyError: The chain of a seat has no more links.
    """
    while True:
        pending = fold.pending
        lying = fold.reveals.dealer.unopened if fold.reveals and secrets and fold.reveals.dealer else 0
        if pending.outcome and not lying:
            return
        if max_events is not None and fold.n >= max_events:
            raise Endless(
                Message.of(
                    "{=title} has not ended after {=max_events} events, so the game was stopped. To allow "
                    "more events, raise the limit (--max-events in the command).",
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
            book = fold.reveals if fold.reveals and fold.reveals.is_roll_closed else None
            dealt = secrets.link(TABLE, book.shown[TABLE], lying + 1) if secrets and book else None
            results = fold.due_results(dealt) or source.results(pending.chance.draws, fold.chances)
            event = _check_event_type(fold, Message("chance"), fold.game.chance(fold.state, results))
        elif pending.by:
            event = _ask_player(
                fold, order.choice(pending.by) if order and pending.together else pending.by[0], decide
            )
        else:
            raise _stuck_error(
                fold, Message("pending names neither who is to act, nor chance, nor an outcome")
            )
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
            fold.heads.append(chain.chained_digest(fold.heads[-1], encode_body(event)))
        yield event


def _ask_player(fold: Fold, seat: str, decide: Decide) -> Event:
    """Return the event that `decide` chooses for `seat`.

    Raises:
        BrokenGame: The game has no legal event for `seat`.
    """
    try:
        event = decide(fold, seat)
    except Exception as error:
        if not has_no_legal_event(fold.game, fold.state, seat):
            raise
        raise _stuck_error(
            fold, Message.of("{@seat} is to act, but `legal` lists no events for that seat", seat=seat)
        ) from error
    return _check_event_type(fold, Message.of("the bot of {@seat}", seat=seat), event)


def _check_event_type(fold: Fold, giver: Message, event: object) -> Event:
    """Return `event`, which comes from `giver`.

    Raises:
        BrokenGame: `event` is not an event.
    """
    if not isinstance(event, Event):
        raise _stuck_error(
            fold,
            Message.of("{giver} gives {=type}, not an event", giver=giver, type=type(event).__name__),
        )
    return event


def _stuck_error(fold: Fold, why: Message) -> BrokenGame:
    """Return the error that a game cannot continue because of a fault in its code."""
    game = fold.game
    return BrokenGame(
        Message.of(
            "{=title}, which comes with {=distribution}, cannot go on at event {n}: {why}.",
            title=game.title,
            distribution=distribution_of(game),
            n=fold.n + 1,
            why=why,
        )
    )


class Seating:
    """Bots at the seats of a game, each with a generator of its own."""

    def __init__(self, bots: Mapping[str, Bot], *seed: str | int) -> None:
        self._players = {seat: sit_down(bot, seat, generator(*seed, seat)) for seat, bot in bots.items()}

    def __call__(self, fold: Fold, seat: str) -> Event:
        """Return the event that the bot at `seat` chooses from its view of the state.

        Raises:
            PlayError: The game needs facts from a judge and has no bot for that.
        """
        if seat == TABLE and seat not in self._players:
            raise PlayError(
                Message.of(
                    "{=title} needs facts from a judge, and has no bot called table to invent them.",
                    title=fold.game.title,
                )
            )
        return self._players[seat](fold.game.observe(fold.state, None if seat == TABLE else seat))


def with_judge(game: AnyGame, bots: Mapping[str, Bot]) -> dict[str, Bot]:
    """Return `bots` by seat, with the game's bot that invents the facts from a judge, if there is one."""
    return {**bots, **({TABLE: game.bots[TABLE]} if TABLE in game.bots else {})}


def think_time_clock(rng: Random) -> Callable[[Fold], int]:
    """Return a clock for simulated games: a decision takes 1 to 20 seconds, a roll takes two."""

    def clock(fold: Fold) -> int:
        return fold.t + (2_000 if fold.game.pending(fold.state).chance else rng.randrange(1_000, 20_000))

    return clock


@cache
def seatings(bots: tuple[str, ...], seats: int) -> tuple[tuple[str, ...], ...]:
    """Return all different ways to place `bots` at `seats` seats, each followed by its rotations.

    A bot has at least as many seats as it has names in `bots`; at most that many if there are more bots than
    seats. Over all ways, and over the rotations of each, a bot has each seat equally often.
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
    """Return the number of players: `players`, by default the smallest number that the game allows.

    Raises:
        BadSetup: The game cannot be played by that number, or has no such bot.
    """
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
    """Return game `index` of a series. The same arguments give the same record, byte for byte.

    Raises:
        BadSetup: The game does not accept the setup.
        Endless: The game has not ended after event `max_events`.
    """
    head, secret, secrets = series_header(
        game, seed, index, players=players, bots=bots, options=options, board=board, dice=dice
    )
    if secrets:
        fold = Fold(head, game, heads=[chain.chained_digest(chain.GENESIS, encode_body(head))])
    else:
        fold = Fold(structs.replace(head, dice=DiceSpec("table")), game)
    seating = Seating(
        with_judge(game, {seat.seat: game.bots[seat.bot or ""] for seat in head.seats}), head.id
    )
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
    """Return the header of game `index` of a series, the seed of its dice, and the secrets of its seats.

    Each game has the next of the `seatings` of `bots`. `dice` is the source of dice in the header. The
    secrets of ``commit-reveal`` dice follow from the seed, so they are not secret. The id of the record, its
    dice and the chance of its bots follow from the game, its rules, seed, index, seats, options, board and
    dice.

    Raises:
        BadSetup: The game does not accept the setup.
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
    digest = sha256(dice.encode() + b" " + encode_body(plan)).digest()
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
