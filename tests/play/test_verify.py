"""Tests of judging whole records: statuses, findings with their places, and the two digests."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect as types
from msgspec import structs

from gamelog.errors import BadSetup
from gamelog.finding import Finding
from gamelog.play.contract.outcome import Outcome
from gamelog.play.contract.registry import find
from gamelog.play.fold import common_events
from gamelog.play.fold.common_events import Accept, Agree, Note, Result, Takeback
from gamelog.play.fold.finding_codes import status_of
from gamelog.play.fold.fold import Fold
from gamelog.play.judging import event_decoding
from gamelog.play.judging.event_decoding import decode
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import Verdict, validate, verdict
from gamelog.play.recording.series import simulate_game
from gamelog.play.visibility.findings import MAX_LISTED_LEGAL, legal_events
from gamelog.record import chain
from gamelog.record.envelope import DiceSpec, Event, Header, Parent, as_proposal, encode_body
from gamelog.record.reading import Record, parse_record
from gamelog.record.record_file import compose
from tests.play.tables import GAME, header, renumber, whole


def judge(head: Header, events: list[Event]) -> Verdict:
    return verdict(fold_record(parse_record(compose(head, events)[0])))


def with_bodies(head: Header, bodies: list[bytes]) -> Record:
    """Return a record with a valid chain and any events."""
    data, last = chain.chained_line(chain.GENESIS, encode_body(head))
    for one in bodies:
        line, last = chain.chained_line(last, one)
        data += line
    return parse_record(data)


def test_a_good_record_is_ok_and_finished() -> None:
    head, events = whole()
    found = judge(head, events)
    assert (found.status, found.valid, found.finished, found.events, found.findings) == (
        "ok",
        True,
        True,
        len(events),
        (),
    )
    assert found.outcome is not None
    unfinished = judge(head, events[:50])
    assert (unfinished.status, unfinished.finished, unfinished.outcome) == ("ok", False, None)


CLAIM = b'"do":"claim","n":2,"t":9,"by":"red","at":"A1"}\n'
ROLL = b'"do":"start_roll","n":1,"t":5,"by":"table","rolls":{"red":6,"blue":1}}\n'


@pytest.mark.parametrize(
    ("line", "status", "code"),
    [
        (CLAIM, "ok", None),
        (CLAIM.replace(b'"n":2', b'"n": 2'), "ok", None),
        (CLAIM.replace(b'"at"', b'"v":1,"at"'), "ok", None),
        *(
            (CLAIM.replace(b"}", b',"v":%d}' % v), "unknown", "play.unknown_event")
            for v in (2, 0, -5, 2**53 - 1)
        ),
        *((CLAIM.replace(b"}", b',"v":%d}' % v), "damaged", "record.json") for v in (2**53, 2**64, 10**4000)),
        (CLAIM.replace(b"}", b',"v":1%s}' % (b"0" * 5000)), "damaged", "record.json"),
        (CLAIM.replace(b'"at":"A1"', b'"v":2,"of":"A1"'), "unknown", "play.unknown_event"),
        (CLAIM.replace(b'"at":"A1"', b'"v":true,"of":"A1"'), "damaged", "record.members"),
        (b'"do":"@note","n":2,"t":9,"by":"red","text":"so","v":2}\n', "unknown", "play.unknown_event"),
        (b'"do":"@note","n":2,"t":9,"by":"red","text":"\\"v\\":2"}\n', "ok", None),
        (CLAIM.replace(b"A1", b"\\u00411"), "ok", None),
        (CLAIM.replace(b'"at"', b'"n":2,"at"'), "damaged", "record.json"),
        (CLAIM.replace(b'"at":"A1"', b'"at":"A1","at":"A1"'), "damaged", "record.json"),
        (CLAIM.replace(b'"t":9', b'"t":9007199254740993'), "damaged", "record.json"),
        (CLAIM.replace(b'"t":9', b'"t":NaN'), "damaged", "record.json"),
        (CLAIM.replace(b'"t":9', b'"t":1e999'), "damaged", "record.json"),
        (CLAIM.replace(b'"t":9', b'"t":9.0'), "damaged", "record.members"),
        (CLAIM.replace(b"\n", b"\r\n"), "damaged", "record.json"),
        (CLAIM.replace(b'"at"', b'\r"at"'), "damaged", "record.json"),
        (CLAIM.replace(b'"at"', b'"\\u0061t":"A1","at"'), "damaged", "record.json"),
        (CLAIM.replace(b"A1", b"A\0"), "damaged", "record.json"),
        (CLAIM.replace(b"\n", b"{}\n"), "damaged", "record.json"),
        (CLAIM[:-1] + b'{"do":"claim","n":3,"t":9,"by":"blue","at":"A2"}\n', "damaged", "record.json"),
        (CLAIM.replace(b'"do"', b'\xef\xbb\xbf"do"'), "damaged", "record.json"),
        (b'"do":"@note","n":2,"t":9,"by":"table","text":"\\ud800"}\n', "damaged", "record.json"),
        (
            b'"do":"@claim","n":2,"t":9,"by":"red","text":"x","intended":{"a":NaN}}\n',
            "damaged",
            "record.json",
        ),
        (
            b'"do":"@claim","n":2,"t":9,"by":"red","text":"x","intended":{"a":1,"a":2}}\n',
            "damaged",
            "record.json",
        ),
        (CLAIM.replace(b'"t":9', b'"t":-9'), "damaged", "record.members"),
        (CLAIM.replace(b'"at":"A1"', b'"at":' + b"[" * 100_000), "damaged", "record.json"),
        (CLAIM.replace(b"A1", b"\xff1"), "damaged", "record.json"),
        (CLAIM.replace(b'"at"', b'"where"'), "damaged", "record.members"),
        (CLAIM.replace(b'"at"', b'"h":"x","at"'), "damaged", "record.json"),
        (CLAIM.replace(b'"A1"', b"7"), "damaged", "record.members"),
        (b"[]\n", "damaged", "record.json"),
        (CLAIM.replace(b"claim", b"castle"), "unknown", "play.unknown_event"),
        (CLAIM.replace(b"claim", b"@later"), "unknown", "play.unknown_event"),
        (CLAIM.replace(b'"n":2', b'"n":3'), "damaged", "record.sequence"),
        (CLAIM.replace(b'"t":9', b'"t":4'), "damaged", "record.time"),
        (CLAIM.replace(b"red", b"pink"), "illegal", "play.by"),
        (CLAIM.replace(b"red", b"blue"), "illegal", "play.illegal"),
        (b'"do":"battle","n":2,"t":9,"by":"red","attack":[7],"defence":[1]}\n', "illegal", "play.illegal"),
        (
            b'"do":"@sign","n":2,"t":9,"by":"red","seat":"red","key":"k","sig":"s"}\n',
            "damaged",
            "sign.forged",
        ),
        (b'"do":"@reveal","n":2,"t":9,"by":"red","seat":"red","link":"x"}\n', "illegal", "chance.link"),
    ],
)
def test_contents_of_a_line(line: bytes, status: str, code: str | None) -> None:
    record = with_bodies(header(), [ROLL, line])
    found = verdict(fold_record(record))
    assert found.status == status, found.findings
    assert [finding.code for finding in found.findings] == ([code] if code else [])
    for finding in found.findings:
        assert (finding.n, finding.offset) == (2, record.offsets[1])
        assert finding.text
        assert not finding.text.endswith(".")


def test_the_finding_on_an_illegal_event_has_its_rule_and_the_legal_events() -> None:
    found = verdict(fold_record(with_bodies(header(), [ROLL, CLAIM.replace(b"A1", b"Z9")])))
    (finding,) = found.findings
    assert finding.rule == "SW-3"
    assert len(finding.legal) == MAX_LISTED_LEGAL
    assert finding.legal[0] == {"do": "claim", "by": "red", "at": "A1"}


def test_when_time_has_run_out_only_the_call_of_time_is_legal() -> None:
    game = find("zone_control")
    head, events = simulate_game(game, "alarm", 0, players=4, dice="table")
    fold = Fold(head, game)
    for event in events:
        if fold.pending.timeout:
            break
        assert fold.push(event) is None
    alarm = fold.pending.timeout
    assert alarm is not None
    called = (as_proposal(alarm.event),)
    assert legal_events(fold, alarm.at) == legal_events(fold, alarm.at + 1) == called
    assert called[0] not in legal_events(fold, alarm.at - 1)
    assert len(legal_events(fold, alarm.at - 1)) > 0


def test_as_played_is_disputed_with_a_warning_and_all_that_follows_counts() -> None:
    head, events = whole()
    claim = next(at for at, event in enumerate(events) if event.__struct_config__.tag == "claim")
    found = judge(
        head,
        [
            *events[:claim],
            structs.replace(events[claim], by="blue" if events[claim].by == "red" else "red", as_played=True),
        ],
    )
    assert (found.status, found.valid) == ("disputed", False)
    assert [(finding.code, finding.severity) for finding in found.findings] == [("play.as_played", "warning")]


def test_a_declared_result_is_compared() -> None:
    head, events = whole()
    n, t = len(events) + 1, events[-1].t
    true = judge(head, events).outcome
    assert true is not None
    assert judge(head, [*events, Result(n, t, "table", true)]).findings == ()
    wrong = judge(head, [*events, Result(n, t, "table", Outcome(("red", "blue"), "agreed"))])
    assert [finding.code for finding in wrong.findings] == ["play.result_differs"]
    assert wrong.status == "ok", "the play decides"
    said = (
        "the table recorded the result random red and random blue (agreed), but the rules give random red "
        f"({GAME.translation('en').words[true.reason]})"
    )
    assert wrong.findings[0].text == said, "people are named, not seats"
    early = judge(head, [*events[:9], Result(10, events[8].t, "table", Outcome((), "agreed"))])
    assert (
        early.findings[0].text
        == "the table recorded the result draw (agreed), but the rules give no result yet"
    )


def test_torn_and_damaged_records_keep_their_good_prefix() -> None:
    head, events = whole()
    data, _ = compose(head, events)
    torn = fold_record(parse_record(data[:-5]))
    assert torn.status == "torn"
    assert len(torn.events) == len(events) - 1
    found = verdict(torn)
    assert (found.valid, found.finished, found.events, found.head, found.play, found.outcome) == (
        False,
        *[None] * 5,
    )
    lines = data.splitlines(keepends=True)
    swapped = fold_record(parse_record(b"".join([*lines[:8], lines[9], lines[8], *lines[10:]])))
    assert swapped.status == "damaged"
    assert len(swapped.events) == 7


def test_unknown_games_and_formats_name_their_origin() -> None:
    head, events = whole()
    data = compose(structs.replace(head, game="chess"), events)[0]
    found = verdict(fold_record(parse_record(data)))
    assert (found.status, found.head) == ("unknown", parse_record(data).head)
    assert "chess" in found.findings[0].text
    assert [finding.offset for finding in found.findings] == [0]
    later = structs.replace(head, gamelog=2)
    found = verdict(fold_record(parse_record(compose(later, [])[0])))
    assert found.status == "unknown"
    assert "format 2" in found.findings[0].text
    old = verdict(fold_record(parse_record(compose(structs.replace(head, rules="0.9"), [])[0])))
    assert "0.9" in old.findings[0].text


def test_a_header_that_the_game_does_not_accept() -> None:
    head, events = whole()
    found = judge(structs.replace(head, seats=(*head.seats, head.seats[0])), events)
    (finding,) = found.findings
    assert (finding.code, finding.offset, finding.text) == (
        "play.setup",
        0,
        "Two players cannot have the same seat",
    )
    assert (found.status, found.finished, found.outcome) == ("illegal", None, None)


def test_two_score_sheets_of_one_game_share_the_play_digest() -> None:
    head, events = whole()
    sheet = judge(head, events).play
    assert sheet is not None
    slower = [structs.replace(event, t=event.t * 2, id=f"k{event.n}") for event in events]
    strangers = tuple(structs.replace(seat, name="X") for seat in head.seats)
    other = structs.replace(head, id="other", started="2026-05-05T05:05:05Z", seats=strangers)
    assert judge(other, slower).play == sheet
    noted = [*events[:30], Note(31, events[29].t, "red", text="hm"), *renumber(events[30:], 1)]
    assert judge(head, noted).play == sheet
    corrected = [*events[:30], structs.replace(events[30]), Takeback(32, events[30].t, "table", to=30)]
    rest = [structs.replace(event, n=event.n + 2) for event in events[30:]]
    assert judge(head, [*corrected, *rest]).play == sheet
    rolled: Any = events[0]
    turned = structs.replace(rolled, rolls=dict(reversed(rolled.rolls.items())))
    assert judge(head, [turned, *events[1:]]).play == sheet
    assert judge(head, events[:-1]).play != sheet
    agreed = [
        judge(
            head, [*events[:30], Agree(31, t, "red", Outcome(winners, "agreed")), Accept(32, t, "blue", 31)]
        ).play
        for winners in (("red",), ("blue",), ("red",))
        for t in (events[29].t,)
    ]
    assert agreed[0] == agreed[2] != agreed[1]
    assert judge(head, events[:30]).play not in agreed
    assert judge(structs.replace(head, options=head.options | {"max_rounds": 150}), events).play != sheet


def decode_bodies(bodies: list[bytes]) -> tuple[list[Event], Finding | None]:
    events, why = decode(GAME, bodies)
    return list(events), why


def test_good_lines_are_decoded_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decoding one by one would give the same, much later."""
    _, events = whole()
    monkeypatch.delattr(event_decoding, "_decode_singly")
    assert decode_bodies([encode_body(event) for event in events]) == (events, None)
    assert decode_bodies([encode_body(Note(1, 0, "red", text="x"))]) == ([Note(1, 0, "red", text="x")], None)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            b'"do":"@claim","n":1,"t":0,"by":"red","text":"x","intended":\n',
            b'"a":1}}{"do":"@note","n":2,"t":0,"by":"red","text":"x"}\n',
        ),
        (
            b'"do":"@note","n":1,"t":0,"by":"red","text":"x"}{"do":"@note","n":2,"t":0,"by":"red","text":"x"}\n',
            b"\n",
        ),
        (
            b'"do":"@note","n":1,"t":0,"by":"red","text":"x"}\n',
            b'"do":"@note","n":2,"t":0,"by":"red","text":\n',
        ),
    ],
)
def test_an_event_is_one_line(first: bytes, second: bytes) -> None:
    """The decoder reads values, whatever line they are on."""
    found, why = decode(GAME, [first, second])
    assert why is not None
    assert (why.code, why.n) == ("record.json", len(found) + 1)


def test_decoding_gives_the_good_prefix() -> None:
    _, events = whole()
    bodies = [encode_body(event) for event in events]
    assert decode_bodies(bodies) == (events, None)
    assert decode_bodies([]) == ([], None)
    bodies[7] = b'"do":"nonsense","n":8,"t":0,"by":"red"}\n'
    found, why = decode(GAME, bodies)
    assert found == events[:7]
    assert why is not None
    assert why.n == 8
    split = [*bodies[:3], bodies[3][:-1] + b" \n", *bodies[4:7]]
    assert decode_bodies(split) == (events[:7], None), "spelling is free"


def test_a_file_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.jsonl", tmp_path):
        found = validate(path)
        assert [(finding.code, finding.offset) for finding in found.findings] == [("record.unreadable", None)]
        assert (found.valid, found.status) == (False, None), (
            "nothing is known of a record there, damage neither"
        )
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert validate(empty).status == "torn"


def test_verdicts_go_through_json() -> None:
    head, events = whole()
    found = judge(head, events)
    assert found.outcome is not None
    assert msgspec.json.decode(msgspec.json.encode(found))["outcome"]["winners"] == list(
        found.outcome.winners
    )


def test_the_status_is_the_first_problem_to_solve() -> None:
    assert status_of([]) == "ok"


@pytest.mark.parametrize(
    ("dice", "wanted"),
    [
        (DiceSpec("seeded"), "has no seed"),
        (DiceSpec("seeded", ""), "has no seed"),
        (DiceSpec("table", "s"), "only seeded dice have a seed"),
        (DiceSpec("commit-reveal", "s"), "only seeded dice have a seed"),
        (DiceSpec("table", commitments={"red": "0" * 64}), "only commit-reveal dice have them"),
        (DiceSpec("seeded", "s", forfeit="loses"), "only commit-reveal dice have them"),
    ],
)
def test_a_source_of_dice_has_exactly_its_members(dice: DiceSpec, wanted: str) -> None:
    found = judge(structs.replace(header(), dice=dice), [])
    assert (found.status, [one.code for one in found.findings]) == ("illegal", ["play.setup"])
    assert wanted in found.findings[0].text
    with pytest.raises(BadSetup, match=wanted):
        header(dice=dice)


def test_a_merged_parent_keys_no_dice() -> None:
    head, events = simulate_game(GAME, "keyed", 0, players=2, dice="seeded")
    moved_on = structs.replace(head, id="other", parents=(Parent(head.id, len(events), "A" * 43),))
    assert judge(moved_on, events).status == "ok", "a branch's dice were rolled for its parent"
    merged = structs.replace(head, id="other", parents=(Parent(head.id, len(events), "A" * 43, merged=True),))
    assert [one.code for one in judge(merged, events).findings] == ["chance.seed"]


def test_common_events_that_may_hold_anything_are_known() -> None:
    """In canonical lines, other events have no values that readers could understand differently."""

    def loose(kind: types.Type) -> bool:
        if isinstance(kind, types.Metadata):
            return loose(kind.type)
        if isinstance(kind, types.IntType):
            return kind.le is None
        if isinstance(kind, types.StructType):
            return any(loose(field.type) for field in kind.fields)
        if isinstance(kind, types.UnionType):
            return any(map(loose, kind.types))
        if isinstance(kind, types.DictType):
            return loose(kind.key_type) or loose(kind.value_type)
        if isinstance(kind, types.VarTupleType):
            return loose(kind.item_type)
        return not isinstance(
            kind, types.StrType | types.BoolType | types.FloatType | types.NoneType | types.LiteralType
        )

    assert {
        kind for kind in common_events.EVENTS if loose(types.type_info(kind))
    } == common_events.ARBITRARY_DATA_TYPES


def test_records_that_begin_alike_share_their_start_and_large_ones_are_not_kept() -> None:
    head = header()
    assert Fold(head, GAME).state is Fold(structs.replace(head, id="another"), GAME).state
    other = Fold(structs.replace(head, options=head.options | {"max_rounds": 3}), GAME)
    assert other.state.setup.options.max_rounds == 3
    embedded = structs.replace(head, board=GAME.boards["hex50"]() | {"remark": "far" * 2000})
    assert Fold(embedded, GAME).state is not Fold(embedded, GAME).state


@pytest.mark.parametrize("member", ["takebacks", "rolls"])
def test_an_unknown_value_of_a_setting_in_the_header_is_damage(member: str) -> None:
    good = encode_body(structs.replace(header(), rolls="players", takebacks="agreed"))
    wrong = good.replace(b"agreed" if member == "takebacks" else b"players", b"anybody")
    for body, codes in ((good, []), (wrong, ["record.damaged"])):
        data, _ = chain.chained_line(chain.GENESIS, body)
        assert [one.code for one in verdict(fold_record(parse_record(data))).findings] == codes
