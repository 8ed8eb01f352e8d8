"""The cost of chain, seals, signatures and committed dice, compared with verifying plain games.

    python -m tests.bench.trust [GAME ...]

The run judges games with dice of the table (*plain*: bytes to verdict). In turn and in the same process it
verifies only their chains, judges them with a seal each, judges them with a signature of every seat inside,
and judges games with seeded and with commit-reveal dice. An *event* is one that the plain record has too, so
the links of a roll are part of its cost. Then it makes and checks seals alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find, names
from gamelog.play.fold.common_events import Sign
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording import signing
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import Event, Header
from gamelog.record.reading import Record, parse_record
from gamelog.record.record_file import compose
from gamelog.record.seal import Seal, Signer
from gamelog.record.seal_checks import seal_finding
from tests.bench.verify import best_of

EVENTS = 10_000
ROUNDS = 200
COLUMNS = ("plain", "chain", "sealed", "signed", "seeded", "commit-reveal")
SIGNER = Signer.of("bench", bytes(32))


def games(game: AnyGame, dice: str) -> tuple[list[bytes], int]:
    """Return records of games with such dice, and the number of their events without links."""
    made: list[bytes] = []
    total = 0
    while total < EVENTS:
        header, played = simulate_game(game, "trust", len(made), players=min(game.seats), dice=dice)
        made.append(compose(header, played)[0])
        total += sum(event.__struct_config__.tag != "@reveal" for event in played)
    return made, total


def seal_of(record: Record) -> Seal:
    """Return the first seat's seal over the whole record."""
    assert record.header is not None
    n = len(record.bodies)
    return signing.make_seal(record.header, n, record.head_at(n), record.header.seat_ids[0], 0, SIGNER)


def sign_record(data: bytes) -> bytes:
    """Return the record with a signature of every seat at its end."""
    for seat in _header(data).seat_ids:
        record = parse_record(data)
        n, t = len(record.bodies), _last(data).t
        seal = signing.make_seal(_header(data), n, record.head_at(n), seat, t, SIGNER)
        events: list[Event] = [
            *fold_record(record).events,
            Sign(n + 1, t, seat, seat=seat, key=str(seal.key), sig=seal.sig),
        ]
        data = compose(_header(data), events)[0]
    return data


def _header(data: bytes) -> Header:
    header = parse_record(data).header
    assert header is not None
    return header


def _last(data: bytes) -> Event:
    return fold_record(parse_record(data)).events[-1]


def judge(records: list[bytes]) -> None:
    """Judge each record."""
    for data in records:
        assert verdict(fold_record(parse_record(data))).status == "ok"


def hold_against(records: list[bytes], seals: list[Seal]) -> None:
    """Judge each record, and check it against its seal."""
    for data, seal in zip(records, seals, strict=True):
        record = parse_record(data)
        assert verdict(fold_record(record)).status == "ok"
        assert seal_finding(record, seal) is None


def measure(game: AnyGame) -> str:
    """Print a line of the table."""
    made = {dice: games(game, dice) for dice in ("table", "seeded", "commit-reveal")}
    plain, count = made["table"]
    seals = [seal_of(parse_record(data)) for data in plain]
    works: dict[str, tuple[Callable[[], object], int]] = {
        "plain": (partial(judge, plain), count),
        "chain": (lambda: [parse_record(data) for data in plain], count),
        "sealed": (partial(hold_against, plain, seals), count),
        "signed": (partial(judge, [sign_record(data) for data in plain]), count),
        "seeded": (partial(judge, made["seeded"][0]), made["seeded"][1]),
        "commit-reveal": (partial(judge, made["commit-reveal"][0]), made["commit-reveal"][1]),
    }
    best = best_of({what: work for what, (work, _) in works.items()})
    cost = {what: best[what] / events * 1e6 for what, (_, events) in works.items()}
    figures = "".join(f"{cost[what]:9.2f} {cost[what] / cost['plain']:5.2f}" for what in COLUMNS)
    return f"{game.id:16}{figures}{count // len(plain):8}"


def seal_costs(game: AnyGame) -> str:
    """Print the cost of making and checking a seal for a record that is already read."""
    record = parse_record(games(game, "table")[0][0])
    made = seal_of(record)
    best = best_of(
        {
            "make": lambda: [seal_of(record) for _ in range(ROUNDS)],
            "check": lambda: [seal_finding(record, made) for _ in range(ROUNDS)],
        }
    )
    return ", ".join(f"{what} {seconds / ROUNDS * 1e6:.0f} us" for what, seconds in best.items())


def main() -> None:
    """Print the table, and a line about seals."""
    print(
        "us an event, and ratio to plain; the last column: events a game, which share a seal or the signatures"
    )
    print(f"{'game':16}{''.join(f'{what:>15}' for what in COLUMNS)}{'events':>8}")
    for name in sys.argv[1:] or names():
        print(measure(find(name)))
    print(f"a seal: {seal_costs(find('slicewars'))}")


if __name__ == "__main__":
    main()
