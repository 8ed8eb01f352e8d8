"""The loop that plays a game: dice or links for chance, players or bots for decisions, and timeouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import structs

from gamelog.chance.commit_reveal import Chains
from gamelog.chance.rng import Random
from gamelog.chance.sources import ChanceSource
from gamelog.errors import Endless, PlayError
from gamelog.message import Message
from gamelog.play.contract.game import Bot
from gamelog.play.contract.seats import has_no_legal_event
from gamelog.play.fold import common_events
from gamelog.play.fold.fold import Fold
from gamelog.play.playing.playout import ask_player, seat_players, stuck_error, think_time
from gamelog.record import chain
from gamelog.record.envelope import TABLE, Event, encode_body

Decide = Callable[[Fold, str], Event]
"""A function that chooses a legal event for a seat. It can raise an error to stop the game."""


def play_to_end(
    fold: Fold,
    decide: Decide,
    source: ChanceSource,
    clock: Callable[[Fold], int],
    secrets: Chains | None = None,
    max_events: int | None = None,
    order: Random | None = None,
) -> Iterator[Event]:
    """Play `fold` to its end, and yield each event after it is folded, with ``n`` and the ``t`` of `clock`.

    Args:
        fold: The fold, which grows with each event. It may have events already.
        decide: Chooses an event for a seat.
        source: Gives the results of dice and draws. It is not used for commit-reveal dice.
        clock: Returns the time of the next event, in ms since the start.
        secrets: The chains of the seats. A record with commit-reveal dice needs them.
        max_events: The largest number of events in the record, or None for no limit.
        order: Chooses between seats that decide together, and between chance and seats that can act at the
            same time. If None, chance comes first, and seats decide in their order.

    Raises:
        PlayError: The game refuses an event from `decide` or `source`.
        BrokenGame: The game has no legal event for a seat that is to act, no pending event, or no event.
        Endless: The game has not ended after event `max_events`.
        KeyError: The chain of a seat has no more links.
    """
    while True:
        if fold.pending.outcome and not _face_down(fold, secrets):
            return
        if max_events is not None and fold.n >= max_events:
            raise Endless(
                Message.of(
                    "{=title} has not ended after {=max_events} events, so the game was stopped. To allow "
                    "more events, raise the limit.",
                    title=fold.game.title,
                    max_events=f"{max_events:,}",
                )
            )
        t = clock(fold)
        event = structs.replace(_next_event(fold, t, decide, source, secrets, order), n=fold.n + 1, t=t)
        failure = fold.push(event)
        if failure:
            raise PlayError(
                Message.of(
                    "{=title}, event {n}: {problem}.",
                    title=fold.game.title,
                    n=event.n,
                    problem=failure.message,
                )
            )
        if fold.reveals:
            fold.line_heads.append(chain.chained_digest(fold.line_heads[-1], encode_body(event)))
        yield event


def _face_down(fold: Fold, secrets: Chains | None) -> int:
    """Return the number of rolls that lie face down and that the table's chain in `secrets` can open."""
    return fold.reveals.dealer.closed_count if fold.reveals and secrets and fold.reveals.dealer else 0


def _next_event(
    fold: Fold, t: int, decide: Decide, source: ChanceSource, secrets: Chains | None, order: Random | None
) -> Event:
    """Return the event that comes next at the time `t`. Its number and its time are not set.

    It is the first that is due of: a timeout, a link, a result of chance, a decision of a seat.

    Raises:
        BrokenGame: The game has no legal event for a seat that is to act, no pending event, or no event.
        KeyError: The chain of a seat has no more links.
    """
    pending, reveals = fold.pending, fold.reveals
    if pending.next_timeout and fold.session.clock(t) >= pending.next_timeout.at:
        return pending.next_timeout.event
    if reveals and secrets and (pending.outcome or reveals.missing_seats):
        face_down = _face_down(fold, secrets)
        seat, steps = (TABLE, face_down) if pending.outcome else (reveals.missing_seats[0], 1)
        link = secrets.link(seat, reveals.last_links[seat], steps)
        return common_events.Reveal(0, 0, seat, seat=seat, link=link)
    if pending.chance and not (order and pending.by and not reveals and order.random() < 0.5):
        dealt = None
        if reveals and secrets and reveals.is_roll_closed:
            dealt = secrets.link(TABLE, reveals.last_links[TABLE], _face_down(fold, secrets) + 1)
        results = fold.due_results(dealt) or source.results(pending.chance.draws, fold.chance_count)
        return _given_event(fold, Message.of("chance"), fold.game.chance(fold.state, results))
    if pending.by:
        seat = order.choice(pending.by) if order and pending.together else pending.by[0]
        return _ask_player(fold, seat, decide)
    raise stuck_error(
        fold.game, fold.n + 1, Message.of("pending names neither who is to act, nor chance, nor an outcome")
    )


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
        raise stuck_error(
            fold.game,
            fold.n + 1,
            Message.of("{@seat} is to act, but `legal` lists no events for that seat", seat=seat),
        ) from error
    return _given_event(fold, Message.of("the bot of {@seat}", seat=seat), event)


def _given_event(fold: Fold, giver: Message, event: object) -> Event:
    """Return `event`, which comes from `giver`.

    Raises:
        BrokenGame: `event` is not an event.
    """
    if not isinstance(event, Event):
        raise stuck_error(
            fold.game,
            fold.n + 1,
            Message.of(
                "{giver} returned {=type} instead of an event", giver=giver, type=type(event).__name__
            ),
        )
    return event


class SeatedBots:
    """Bots at the seats of a game, each with a generator of its own."""

    def __init__(self, bots: Mapping[str, Bot], *seed: str | int) -> None:
        self._players = seat_players(bots, *seed)

    def __call__(self, fold: Fold, seat: str) -> Event:
        """Return the event that the bot at `seat` chooses from its view of the state.

        Raises:
            PlayError: The game needs facts from a judge and has no bot for that.
        """
        return ask_player(fold.game, self._players, fold.state, seat)


def think_time_clock(rng: Random) -> Callable[[Fold], int]:
    """Return a clock for simulated games: a decision takes 1 to 20 seconds, a roll takes two."""
    pace = think_time(rng)
    return lambda fold: pace(fold.t, fold.game.pending(fold.state))
