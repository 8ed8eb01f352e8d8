"""Tests that a seat gets the same answers for records that look alike to it, from every address."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from tests.shares import examples
from tests.table.alike import answers, attempts, displays, pairs, refused_answers, write
from tests.table.client import serve_in_thread
from tests.table.illegal_endings import varied_pairs

WITH_ILLEGAL = 2
"""The number of pairs that also get illegal events after them."""


def check_alike(game: AnyGame, tmp_path: Path, most: int, players: int | None = None) -> None:
    """Assert that pages, commands and answers are the same for both records of at most `most` pairs."""
    one, other = tmp_path / "one" / "evening.jsonl", tmp_path / "other" / "evening.jsonl"
    done = 0
    for seat, header, records in islice(varied_pairs(game, 1, players, most=1), most):
        for events, others in records if done < WITH_ILLEGAL else islice(records, 1):
            for path, line in ((one, events), (other, others)):
                path.parent.mkdir(exist_ok=True)
                write(path, header, line)
            for (what, shown), (_, alike) in zip(
                *(displays(path, seat) for path in (one, other)), strict=True
            ):
                assert shown == alike, (seat, len(events), what)
                assert shown is not True, "a record that hides nothing looks like no other record"
            tried = attempts(seat, events, others)
            with serve_in_thread(one) as table, serve_in_thread(other) as twin:
                for role, whose in (("seat", seat), ("spectator", None)):
                    clients = [serving.client(role, whose) for serving in (table, twin)]
                    for ask in (answers, refused_answers):
                        asked = [list(ask(client, tried, len(events))) for client in clients]
                        for (path_, told), (_, alike) in zip(*asked, strict=True):
                            assert told == alike, (role, whose, len(events), path_)
        done += 1
    assert done, "no two records look alike to anybody"


def test_a_seat_gets_the_same_answers_for_records_that_look_alike(tmp_path: Path) -> None:
    check_alike(find("zone_s"), tmp_path, examples(30))


def test_a_malformed_event_is_refused_with_its_reason_in_a_game_with_hidden_information(
    tmp_path: Path,
) -> None:
    seat, header, events, _ = next(pairs(find("zone_s"), 1))
    write(tmp_path / "evening.jsonl", header, events)
    with serve_in_thread(tmp_path / "evening.jsonl") as serving:
        client = serving.client("seat", seat)
        unknown, members = client.write({"do": "nonsense"}), client.write({"do": "place_base", "x": 1})
    assert (unknown.status, unknown.json["finding"]["code"]) == (422, "play.unknown_event")
    assert 'has no event "nonsense"' in unknown.json["error"]["message"]
    assert (members.status, members.json["finding"]["code"]) == (422, "record.members")
    assert "unknown field `x`" in members.json["error"]["message"]
