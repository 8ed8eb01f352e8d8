"""What trust costs: verifying signed records and committed dice against verifying the same games plainly.

``python -m tests.bench.trust [GAME ...]`` judges games with dice of the table, of a seed and of
commit-reveal, in turn and in one process. An *event* is one that the plain record has, too: the links
of a roll are part of its cost. Then it seals a record and checks the seal.
"""

from __future__ import annotations

import sys
from functools import partial

from gamelog.play import signatures
from gamelog.play.common import Sign
from gamelog.play.driver import simulate
from gamelog.play.game import AnyGame
from gamelog.play.registry import find, names
from gamelog.play.verify import replay, verdict
from gamelog.record.compose import compose
from gamelog.record.envelope import Event, Header
from gamelog.record.reading import parse
from gamelog.record.seal import Signer, check
from tests.bench.verify import best_of

EVENTS = 10_000
ROUNDS = 200
SIGNER = Signer.of("bench", bytes(32))


def games(game: AnyGame, dice: str) -> tuple[list[bytes], int]:
    """Records of games with such dice, and how many events they hold beside links."""
    made, total = [], 0
    while total < EVENTS:
        header, played = simulate(game, "trust", len(made), players=min(game.seats), dice=dice)
        made.append(compose(header, played)[0])
        total += sum(event.__struct_config__.tag != "@reveal" for event in played)
    return made, total


def signed(data: bytes) -> bytes:
    """The record with a signature of every seat behind it."""
    for seat in _header(data).seat_ids:
        record = parse(data)
        n, t = len(record.bodies), _last(data).t
        seal = signatures.signed(_header(data), n, record.head_at(n), seat, t, SIGNER)
        events: list[Event] = [*replay(record).events, Sign(n + 1, t, seat, seat=seat, key=str(seal.key), sig=seal.sig)]
        data = compose(_header(data), events)[0]
    return data


def _header(data: bytes) -> Header:
    header = parse(data).header
    assert header is not None
    return header


def _last(data: bytes) -> Event:
    return replay(parse(data)).events[-1]


def judge(records: list[bytes]) -> None:
    """What is measured."""
    for data in records:
        assert verdict(replay(parse(data))).status == "ok"


def measure(game: AnyGame) -> str:
    """A line of the table."""
    made = {dice: games(game, dice) for dice in ("table", "seeded", "commit-reveal")}
    plain, count = made["table"]
    made["signed"] = [signed(data) for data in plain], count
    best = best_of({dice: partial(judge, records) for dice, (records, _) in made.items()})
    cost = {dice: best[dice] / made[dice][1] * 1e6 for dice in made}
    figures = "".join(f"{cost[dice]:10.2f} {cost[dice] / cost['table']:5.2f}" for dice in made)
    return f"{game.id:18}{figures}"


def seal_costs(game: AnyGame) -> str:
    """What a seal costs to make and to check, the record read already."""
    record = parse(games(game, "table")[0][0])
    header, n = record.header, len(record.bodies)
    assert header is not None
    made = signatures.signed(header, n, record.head_at(n), header.seat_ids[0], 0, SIGNER)
    best = best_of(
        {
            "make": lambda: [
                signatures.signed(header, n, record.head_at(n), header.seat_ids[0], 0, SIGNER) for _ in range(ROUNDS)
            ],
            "check": lambda: [check(record, made) for _ in range(ROUNDS)],
        }
    )
    return ", ".join(f"{what} {seconds / ROUNDS * 1e6:.0f} us" for what, seconds in best.items())


def main() -> None:
    """The table, and a line about seals."""
    print("us an event and ratio to dice of the table; signed: a signature of every seat in each record")
    print(f"{'game':18}{'table':>16}{'seeded':>16}{'commit-reveal':>16}{'signed':>16}")
    for name in sys.argv[1:] or names():
        print(measure(find(name)))
    print(f"a seal: {seal_costs(find('slicewars'))}")


if __name__ == "__main__":
    main()
