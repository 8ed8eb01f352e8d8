"""Simulated games between bots: game `index` of a series, with its seating, header and dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import product
from typing import Any
from uuid import UUID

from msgspec import structs

from gamelog.chance.commit_reveal import FORFEITS, Chain, Chains
from gamelog.chance.loaded_dice import LoadedDice, LoadedFaces, loaded_text
from gamelog.chance.rng import generator
from gamelog.chance.sources import ChanceSource, Seeded
from gamelog.errors import BadSetup
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.game_errors import Audience
from gamelog.play.fold.start import check_players
from gamelog.play.playing.named_bots import SEARCH, bot_names, bots_at_seats, check_bots
from gamelog.play.recording.header import new_header
from gamelog.play.recording.play_loop import SeatedBots, play_to_end, think_time_clock
from gamelog.record import chain
from gamelog.record.envelope import TABLE, DiceSpec, Event, Header, Seat, encode_body

LINKS_PER_SEAT = 4_096
"""Number of links in the chain of a seat in simulated games: several times the need of the longest."""


@cache
def seatings(bots: tuple[str, ...], seats: int) -> tuple[tuple[str, ...], ...]:
    """Return all different ways to place `bots` at `seats` seats, each followed by its rotations.

    A bot has at least as many seats as it has names in `bots`; at most that many if there are more bots than
    seats. Over all ways, and over the rotations of each, a bot has each seat equally often.
    """
    required_counts = {bot: bots.count(bot) for bot in bots}
    lines: dict[tuple[str, ...], None] = {}
    for line in product(required_counts, repeat=seats):
        counts = [(line.count(bot), times) for bot, times in required_counts.items()]
        if all(have >= times for have, times in counts) or (
            len(bots) > seats and all(have <= times for have, times in counts)
        ):
            lines |= dict.fromkeys(line[at:] + line[:at] for at in range(seats))
    return tuple(lines)


def player_count(game: AnyGame, players: int | None, bots: Sequence[str]) -> int:
    """Return the number of players: `players`, by default the smallest number that the game allows.

    Raises:
        BadSetup: The game cannot be played by that number, or has no such bot.
    """
    if not bots:
        raise BadSetup(f"{game.title} has the bots {', '.join(bot_names(game))}, {SEARCH}N. Name one.")
    check_bots(game, tuple(bots))
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
    tags: Mapping[str, str] | None = None,
    pairing: str | None = None,
    loaded: LoadedFaces | None = None,
) -> tuple[Header, list[Event]]:
    """Return one game of a series. The same arguments give the same record, byte for byte.

    Games with the same `pairing` have the same results on each chance line with the same number and the same
    draws, and the bots at each seat have the same chance. Other options, rules or boards change nothing
    about this. The record has dice of the table, because nothing in its header gives them.

    Args:
        game: The game.
        seed: The seed of the series.
        index: The number of the game in the series, from 0.
        players: The number of players.
        bots: The names of bots. Each game has their next seating (`seatings`).
        options: Values of options by name; None for the defaults.
        board: The name or the data of a board; None for the first board.
        dice: The source of dice in the header: ``table``, ``seeded`` or ``commit-reveal``.
        max_events: The largest number of events, or None for no limit.
        tags: More tags of the header.
        pairing: The seed of the chance of this game alone. By default, chance follows from the header.
        loaded: Loaded faces of the dice of seats, which the tag ``loaded`` names.

    Raises:
        BadSetup: The game does not accept the setup.
        Endless: The game has not ended after event `max_events`.
    """
    head, secret, secrets = series_header(
        game,
        seed,
        index,
        players=players,
        bots=bots,
        options=options,
        board=board,
        dice="table" if pairing else dice,
        tags=tags,
        loaded=loaded,
    )
    if secrets:
        fold = Fold(
            head,
            game,
            line_heads=[chain.chained_digest(chain.GENESIS, encode_body(head))],
            audience=Audience.ALL_SEEING,
        )
    else:
        fold = Fold(structs.replace(head, dice=DiceSpec("table")), game, audience=Audience.ALL_SEEING)
    own = pairing or head.id
    seating = SeatedBots(bots_at_seats(game, head, fold.state), own)
    clock = think_time_clock(generator(own, "pace"))
    source: ChanceSource = Seeded(pairing or secret, own)
    if loaded:
        source = LoadedDice(source, loaded)
    order = generator(own, "order")
    return head, list(play_to_end(fold, seating, source, clock, secrets, max_events, order))


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
    tags: Mapping[str, str] | None = None,
    loaded: LoadedFaces | None = None,
) -> tuple[Header, str, Chains | None]:
    """Return the header of a game of a series, the seed of its dice, and the secrets of its seats.

    The id of the record, its dice and the chance of its bots follow from the game, its rules, seed, index,
    seats, options, board and dice. The secrets of ``commit-reveal`` dice follow from the seed, so they are
    not secret; for other dice they are None.

    Args:
        game: The game.
        seed: The seed of the series.
        index: The number of the game in the series, from 0. Each game starts a minute after the game before.
        players: The number of players.
        bots: The names of bots. Each game has their next seating (`seatings`).
        options: Values of options by name; None for the defaults.
        board: The name or the data of a board; None for the first board.
        dice: The source of dice in the header: ``table``, ``seeded`` or ``commit-reveal``.
        tags: More tags of the header.
        loaded: Loaded faces of the dice of seats, which the tag ``loaded`` names. Only dice of the table can
            be loaded, because a verifier recomputes the others.

    Raises:
        BadSetup: The game does not accept the setup.
    """
    seats = game.seats[players]
    if loaded:
        _check_loaded(loaded, seats, dice)
        tags = {**(tags or {}), "loaded": loaded_text(loaded)}
    lines = seatings(bots, players)
    chosen = dict(zip(seats, lines[index % len(lines)], strict=True))
    plan = new_header(
        game,
        [Seat(seat, name=f"{bot} {seat}", bot=bot) for seat, bot in chosen.items()],
        id=str(UUID(int=0)),
        started=(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=index)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        options=options,
        board=board,
        tags={"simulated": f"{seed}/{index}", **(tags or {})},
    )
    digest = sha256(dice.encode() + b" " + encode_body(plan)).digest()
    id_, secret = str(UUID(bytes=digest[:16], version=4)), digest[16:].hex()
    secrets = None
    spec = DiceSpec("table")
    if dice == "seeded":
        spec = DiceSpec("seeded", seed=secret)
    elif dice == "commit-reveal":
        committed = (*seats, *((TABLE,) if game.hides and game.chance_events else ()))
        secrets = Chains(
            {
                seat: Chain(id_, seat, sha256(f"{secret} {seat}".encode()).hexdigest(), LINKS_PER_SEAT)
                for seat in committed
            }
        )
        spec = DiceSpec("commit-reveal", commitments=secrets.commitments, forfeit=FORFEITS[0])
    return structs.replace(plan, id=id_, dice=spec), secret, secrets


def _check_loaded(loaded: LoadedFaces, seats: tuple[str, ...], dice: str) -> None:
    """Raise `BadSetup` if there are no such dice, or a verifier would recompute them."""
    if dice != "table":
        text = "Only dice of the table can be loaded, because the results of {=dice} dice are recomputed."
        raise BadSetup(Message.of(text, dice=dice))
    for seat in loaded:
        if seat not in seats:
            text = "No dice belong to {=seat}. The dice of these seats can be loaded: {=seats}."
            raise BadSetup(Message.of(text, seat=seat, seats=", ".join(seats)))
