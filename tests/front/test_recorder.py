"""Recording from a program, on real files."""

from pathlib import Path
from typing import Any

import pytest

import gamelog
from gamelog.chance.commit_reveal import Chain, Chains
from gamelog.errors import BadSetup, Conflict, Exists, NotReadable, Torn, UnknownGame
from gamelog.finding import Finding
from gamelog.games.slicewars.events import ClaimLand, StartRoll

SEATS = {"red": "Ana", "blue": "Rui"}
ROLL = {"do": "start_roll", "rolls": {"red": 5, "blue": 2}}


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A record in which red is to claim."""
    with gamelog.create(tmp_path / "evening.jsonl", "slicewars", seats=SEATS) as record:
        record.append(ROLL)
    return tmp_path / "evening.jsonl"


def test_what_is_appended_is_on_the_disk_and_has_a_step(begun: Path) -> None:
    with gamelog.open(begun) as record:
        step = record.append({"do": "claim", "at": "C3"})
        assert (step.n, step.event.by, step.text, step.stands) == (2, "red", "Ana claims C3.", True)
        assert step.after == record.state
        assert record.pending.by == ("blue",)
        on_disk = gamelog.read(begun)
        assert [one.event for one in on_disk][-1] == step.event
        assert gamelog.validate(begun).head == record.head
        assert repr(record) == "<Recorder evening.jsonl: slicewars, 2 events>"


def test_events_are_taken_as_the_games_own_classes_too(begun: Path) -> None:
    with gamelog.open(begun) as record:
        assert record.append(ClaimLand(0, 0, "red", at="C3")).event.t < 60_000
        assert record.append(ClaimLand(0, 10**7, "blue", at="C4", id="key")).event.t == 10**7
        assert record.append(ClaimLand(0, 0, "blue", at="C4", id="key")).n == 3
        assert record.n == 3


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"do": "claim", "by": "blue", "at": "C3"}, "play.illegal"),
    ({"do": "claim", "at": "Z9"}, "play.illegal"),
    ({"do": "claim"}, "record.members"),
    ({"do": "claim", "at": "C3", "by": "green"}, "play.by"),
    ({"do": "shout"}, "play.unknown_event"),
    ({}, "play.unknown_event"),
    ({"do": "@note", "text": "who says so?"}, "play.by"),
    ({"do": "@note", "by": "red", "text": "\ud800"}, "record.json"),
    ({"do": "claim", "at": "C3", "t": -1}, "record.members"),
    ({"do": "@accept", "by": "red", "about": 1}, "play.common"),
]


@pytest.mark.parametrize(("event", "code"), REFUSED)
def test_what_is_refused_says_why_in_a_finding_and_writes_nothing(
    event: dict[str, object], code: str, begun: Path
) -> None:
    before = begun.read_bytes()
    with gamelog.open(begun) as record:
        with pytest.raises(gamelog.Refused) as refused:
            record.append(event)
        finding = refused.value.finding
        assert isinstance(finding, Finding)
        assert (finding.code, finding.n) == (code, 2)
        assert all("\n" not in repr(shown) and len(repr(shown)) <= 120 for shown in (finding, refused.value))
        assert begun.read_bytes() == before
        assert record.append({"do": "claim", "at": "C3"}).n == 2


def test_what_was_played_all_the_same_is_written_and_disputed(begun: Path) -> None:
    with gamelog.open(begun) as record:
        record.append({"do": "claim", "by": "blue", "at": "C3"}, as_played=True)
    assert gamelog.read(begun).status == "disputed"


def test_two_recorders_see_each_others_events(begun: Path) -> None:
    one, other = gamelog.open(begun), gamelog.open(begun)
    one.append({"do": "claim", "at": "C3"})
    with pytest.raises(Conflict):
        other.append({"do": "claim", "at": "C4"}, expect=1)
    assert other.append({"do": "claim", "at": "C4"}).event.by == "blue"


def test_a_ruling_that_somebody_else_wrote_is_taken_up(begun: Path) -> None:
    """It changes how earlier events are judged, so that all is judged anew."""
    one, other = gamelog.open(begun), gamelog.open(begun)
    one.append({"do": "claim", "by": "blue", "at": "C3"}, as_played=True)
    ruling = {"do": "@ruling", "about": 2, "kind": "stands", "name": "Lena", "reason": "agreed"}
    assert one.append(ruling).n == 3
    assert other.append({"do": "@note", "by": "red", "text": "go on"}).n == 4
    assert gamelog.read(begun).status == "ruled"


def test_a_closed_recorder_takes_nothing(begun: Path) -> None:
    with gamelog.open(begun) as record:
        pass
    with pytest.raises(ValueError, match="closed"):
        record.append({"do": "claim", "at": "C3"})


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"game": "chess"}, UnknownGame),
        ({"game": "slicewars@0.1"}, UnknownGame),
        ({"seats": {"red": "Ana"}}, BadSetup),
        ({"seats": {"red": "Ana", "left": "Rui"}}, BadSetup),
        ({"board": "hex1000"}, (BadSetup, UnknownGame)),
        ({"options": {"max_round": 3}}, BadSetup),
        ({"dice": "commit-reveal"}, BadSetup),
        ({"commitments": {"red": "x"}, "id": "one"}, BadSetup),
        ({"seed": "7"}, BadSetup),
    ],
)
def test_what_the_game_does_not_accept_starts_no_record(
    wrong: dict[str, Any], error: type, tmp_path: Path
) -> None:
    with pytest.raises(error):
        gamelog.create(tmp_path / "x.jsonl", **{"game": "slicewars", "seats": SEATS, **wrong})
    assert not list(tmp_path.iterdir())


def test_a_record_is_started_with_all_that_was_said(tmp_path: Path) -> None:
    gamelog.create(
        tmp_path / "x.jsonl", "slicewars", seats={"blue": "Rui", "red": "Ana"}, board="hex36",
        options={"max_rounds": 5}, dice="seeded", seed="7", id="one", tags={"event": "Club night"},
    )  # fmt: skip
    header = gamelog.read(tmp_path / "x.jsonl").header
    assert (header.id, header.tags, header.options["max_rounds"], header.dice.seed) == (
        "one",
        {"event": "Club night"},
        5,
        "7",
    )
    assert header.seat_ids == ("red", "blue")
    assert str(header.board).startswith("hex36@")
    with pytest.raises(Exists):
        gamelog.create(tmp_path / "x.jsonl", "slicewars", seats=SEATS)


def test_a_roll_that_follows_from_the_seed_is_written_by_itself(tmp_path: Path) -> None:
    with gamelog.create(
        tmp_path / "x.jsonl", "slicewars", seats=SEATS, dice="seeded", seed="7", id="one"
    ) as record:
        step = record.roll()
        assert isinstance(step.event, StartRoll)
        with pytest.raises(gamelog.Refused) as refused:
            record.roll()
        assert isinstance(refused.value.finding, Finding)
    assert gamelog.read(tmp_path / "x.jsonl").status == "ok"


def test_dice_may_follow_from_secrets(tmp_path: Path) -> None:
    chains = Chains(
        {seat: Chain("one", seat, 64 * digit, 8) for seat, digit in zip(SEATS, "12", strict=True)}
    )
    path = tmp_path / "x.jsonl"
    record = gamelog.create(
        path, "slicewars", seats=SEATS, dice="commit-reveal", id="one", commitments=chains.commitments
    )
    for seat in SEATS:
        record.append(
            {"do": "@reveal", "by": seat, "seat": seat, "link": chains.link(seat, chains.commitments[seat])}
        )
    assert record.roll().n == 3
    assert gamelog.read(path).status == "ok"


def test_what_cannot_go_on_says_so(tmp_path: Path, begun: Path) -> None:
    with pytest.raises(NotReadable):
        gamelog.open(tmp_path / "none.jsonl")
    samples = Path(__file__).parents[2] / "sample_games/slicewars"
    begun.write_bytes(begun.read_bytes()[:-4])
    with pytest.raises(Torn, match="Recover the record"):
        gamelog.open(begun)
    begun.write_bytes((samples / "illegal-taken.jsonl").read_bytes())
    with gamelog.open(begun) as record, pytest.raises(gamelog.Refused):
        record.append({"do": "claim", "at": "C3"})


def test_a_name_may_bring_an_id(tmp_path: Path) -> None:
    """As on the command line; brackets that are not around an id alone belong to the name."""
    seats = {"red": "Ana  < ana@club > ", "blue": "<b>Eva</b>"}
    with gamelog.create(tmp_path / "game.jsonl", "slicewars", seats=seats):
        pass
    header = gamelog.read(tmp_path / "game.jsonl").header
    assert [(seat.name, seat.id) for seat in header.seats] == [("Ana", "ana@club"), ("<b>Eva</b>", None)]
