"""Tests of hash chains, of the keys made from them, and of fairness with one honest seat."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from hmac import digest

import pytest
from msgspec import structs

from gamelog.chance import commit_reveal
from gamelog.chance.commit_reveal import Chain, Chains
from gamelog.chance.draws import Bag, Dice
from gamelog.chance.rng import generator
from gamelog.record.envelope import DiceSpec

SEATS = ("red", "blue", "yellow", "green", "black", "white")
HEAD = "wSiqLeBdxfpFoH4AWJB4Z2xQyHIS41T7rE1WzTtyu4c"


def hexes(*name: object) -> str:
    return sha256(" ".join(map(str, name)).encode()).hexdigest()


def test_a_chain_follows_the_documentation() -> None:
    chain = Chain("id", "red", hexes("secret"), 3)
    links = [chain.secret]
    for _ in range(3):
        links.append(sha256(b"gamelog/1 link\nid\nred\n" + links[-1].encode() + b"\n").hexdigest())
    assert list(chain.walk()) == links
    assert chain.commitment == links[3]
    assert [chain.earlier_link(link) for link in links] == [None, *links[:3]]
    assert chain.earlier_link(hexes("another")) is None
    chains = Chains({"red": chain})
    assert chains.commitments == {"red": links[3]}
    assert [chains.link("red", link) for link in links[1:]] == links[:3]
    with pytest.raises(KeyError):
        chains.link("red", links[0])


def test_a_chain_belongs_to_one_record_and_one_seat() -> None:
    link = hexes("link")
    steps = [
        commit_reveal.link_before(record_id, seat, link)
        for record_id in ("a", "b")
        for seat in ("red", "blue")
    ]
    assert len(set(steps)) == 4


def test_fresh_secrets_differ() -> None:
    one, two = Chain.new("id", "red", 4), Chain.new("id", "red", 4)
    assert one.secret != two.secret
    assert commit_reveal.is_link(one.secret)
    assert one.commitment != two.commitment


def test_the_key_and_the_roll_follow_the_documentation() -> None:
    links = {"red": hexes(1), "blue": hexes(2)}
    key = sha256(f"gamelog/1 roll\nred {hexes(1)}\nblue {hexes(2)}\n".encode()).digest()
    assert commit_reveal.roll_key(links) == key
    block = digest(key, HEAD.encode() + bytes(8), "sha256")
    numbers = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
    faces = tuple(number % 6 + 1 for number in numbers if number < 4294967292)[:5]
    assert commit_reveal.results(links, HEAD, (Dice(5),)) == (faces,)


@pytest.mark.parametrize("seats", range(1, 7))
def test_every_link_and_the_head_matter(seats: int) -> None:
    links = {seat: hexes(seat) for seat in SEATS[:seats]}
    draws = (Dice(20),)
    base = commit_reveal.results(links, HEAD, draws)
    assert commit_reveal.results(dict(links), HEAD, draws) == base
    others = [commit_reveal.results(links | {seat: hexes("other", seat)}, HEAD, draws) for seat in links]
    others.append(commit_reveal.results(links, HEAD[::-1], draws))
    others += [
        commit_reveal.results({seat: links[seat] for seat in links if seat != gone}, HEAD, draws)
        for gone in links
    ]
    assert base not in others
    assert len(set(others)) == len(others)


@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.parametrize("honest", range(6))
def test_one_honest_seat_makes_all_faces_equally_likely(seats: int, honest: int) -> None:
    """Check the case that the other seats always reveal the same link. They cannot choose after the honest
    link.
    """
    if honest >= seats:
        honest %= seats
    rng = generator("honest", seats, honest)
    counts: Counter[int | str] = Counter()
    for _ in range(2_000):
        links = {
            seat: rng.randbytes(32).hex() if at == honest else "0" * 64
            for at, seat in enumerate(SEATS[:seats])
        }
        counts.update(commit_reveal.results(links, HEAD, (Dice(3),))[0])
    chi = sum((counts[face] - 1_000) ** 2 / 1_000 for face in range(1, 7))
    assert chi < 25.7, "the 99.99 % point of chi-square with 5 degrees of freedom; the seeds are fixed"


def test_bags_are_drawn_from_the_same_stream() -> None:
    rng = generator("bags")
    things = (("red", 2), ("blue", 1))
    orders: Counter[tuple[int | str, ...]] = Counter()
    for _ in range(3_000):
        (drawn,) = commit_reveal.results(
            {"red": rng.randbytes(32).hex(), "blue": "0" * 64}, HEAD, (Bag(3, things),)
        )
        orders[drawn] += 1
    assert set(orders) == {("red", "red", "blue"), ("red", "blue", "red"), ("blue", "red", "red")}
    assert all(abs(count - 1_000) < 110 for count in orders.values())


GOOD = DiceSpec("commit-reveal", commitments={"red": hexes(1), "blue": hexes(2)}, forfeit="loses")


@pytest.mark.parametrize(
    ("spec", "record_id", "text"),
    [
        (structs.replace(GOOD, commitments=None), "id", "commitments for: none"),
        (structs.replace(GOOD, commitments={"red": hexes(1)}), "id", "one commitment for each seat"),
        (
            structs.replace(GOOD, commitments={"red": hexes(1), "blue": hexes(2), "green": hexes(3)}),
            "id",
            "exactly one commitment for each seat",
        ),
        (
            structs.replace(GOOD, commitments={"red": hexes(1), "blue": hexes(2).upper()}),
            "id",
            "commitment of blue",
        ),
        (
            structs.replace(GOOD, commitments={"red": hexes(1), "blue": hexes(2)[:-1]}),
            "id",
            "commitment of blue",
        ),
        (structs.replace(GOOD, forfeit=None), "id", "forfeit"),
        (structs.replace(GOOD, forfeit="shrug"), "id", "forfeit"),
        (GOOD, "a\nb", "control characters"),
    ],
)
def test_invalid_commitments_in_headers_are_refused(spec: DiceSpec, record_id: str, text: str) -> None:
    assert commit_reveal.commitments_problem(GOOD, "id", ("red", "blue")) is None
    assert text in str(commit_reveal.commitments_problem(spec, record_id, ("red", "blue")))
