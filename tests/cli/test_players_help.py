"""The short forms on the pages for players (docs/players) record the events that the pages name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gamelog.play.contract.registry import find
from gamelog.record.envelope import tag_of
from gamelog.record.reading import read_record
from gamelog.record.record_file import compose
from tests.table.client import beginning_now

from .conftest import SAMPLES, Gamelog

PAGES = Path(__file__).parents[2] / "docs" / "players"

FROM_SAMPLES = {
    "slicewars": {
        "4 3 2": ("ended-all_full", 1),
        "A1 A2": ("ended-all_full", 2),
        "2 3": ("ended-all", 1),
        "A4": ("ended-all", 2),
        "B4": ("ended-all", 52),
        "E6": ("ended-all", 179),
        "E3 E4": ("ended-all", 102),
        "544563 6": ("ended-all", 103),
        "pass": ("ended-all", 134),
    },
    "gp02a_territory": {
        "1 2 4": ("ended-bag", 1),
        "5": ("ended-bag", 2),
        "e2": ("ended-bag", 26),
        "bbbyy": ("ended-bag", 3),
        "2 4 1": ("ended-bag", 6),
        "trade red red=2 blue=2": ("negotiation", 6),
        "y": ("ended-bag", 7),
        "6": ("full-4", 9),
        "b d6": ("ended-bag", 9),
        "purple d6": ("ended-bag", 48),
        "move": ("ended-bag", 161),
        "i5": ("ended-bag", 180),
        "e5": ("ended-bag", 163),
    },
    "zone_control": {
        "5 2 2 2": ("untimed", 1),
        "5 3": ("untimed", 231),
        "d8 e8": ("untimed", 241),
        "5 k9 l9": ("variants", 135),
        "2 21": ("variants", 136),
        "k9=l11,l9=j12": ("variants", 137),
        "end": ("untimed", 242),
        "time_up": ("ended-distance", 22),
        "463234 344553 444644": ("ended-roll_off", 65),
    },
    "zone_s": {
        "f1": ("full-2", 1),
        "w": ("full-2", 3),
        "b2": ("full-2", 4),
        "SW e2": ("full-2", 75),
        "dominion": ("full-2", 81),
        "e1 c3": ("full-2", 85),
        "shoot e2 e3": ("ended-base", 84),
        "WA d3": ("full-2", 86),
        "WA": ("ended-quiet", 131),
        "pass": ("ended-passes", 84),
    },
    "dice_flags": {
        "1 4": ("full-2", 1),
        "2 5": ("full-2", 2),
        "F2 r4": ("full-2", 4),
        "c1 r4": ("full-2", 4),
        "4 4 2": ("full-2", 105),
        "F2 e2": ("full-2", 113),
        "march": ("full-3", 163),
        "tao": ("full-2", 6),
        "F2 d4 d2": ("full-2", 7),
        "tao_end": ("full-2", 17),
        "F1 c2": ("variants", 2),
    },
}
"""By game and short form: the sample record and the number of the event that the short form records there."""

FROM_NEW_GAMES = {"dice_flags": {"east", "stop"}}
"""Short forms that no sample record needs; each has a test of its own below."""


def short_forms(game: str) -> list[str]:
    """Return the short forms in the table of a game's page, in order."""
    return re.findall(r"^\| .* \| `([^`]+)` \|$", (PAGES / f"{game}.md").read_text("utf-8"), re.MULTILINE)


def decided(path: Path) -> list[dict[str, Any]]:
    """Return the events of a record without times and digests, and without those of the clock."""
    events = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    own = [{name: value for name, value in event.items() if name not in ("h", "t")} for event in events]
    return [event for event in own if event["do"] != "@clock"]


@pytest.mark.parametrize("game", FROM_SAMPLES)
def test_a_page_has_an_example_for_each_kind_of_event(game: str) -> None:
    forms = short_forms(game)
    assert set(forms) == FROM_SAMPLES[game].keys() | FROM_NEW_GAMES.get(game, set())
    samples = {name for name, _ in FROM_SAMPLES[game].values()}
    events = {name: decided(SAMPLES / game / f"{name}.jsonl") for name in samples}
    shown = {next(e["do"] for e in events[name] if e["n"] == n) for name, n in FROM_SAMPLES[game].values()}
    new = {"pick_up", "stop"} if game in FROM_NEW_GAMES else set()
    assert shown | new == {tag_of(kind) for kind in find(game).events}


@pytest.mark.parametrize(
    ("game", "typed"), [(game, typed) for game, forms in FROM_SAMPLES.items() for typed in forms]
)
def test_a_short_form_records_the_event_of_the_sample(gamelog: Gamelog, game: str, typed: str) -> None:
    name, n = FROM_SAMPLES[game][typed]
    sample = (SAMPLES / game / f"{name}.jsonl").read_text("utf-8").splitlines(keepends=True)
    path = Path("evening.jsonl")
    path.write_text("".join(sample[:n]), "utf-8")
    header = read_record(path).header
    if (
        n == 1 and header
    ):  # the first event of play would come after a pause, because the sample began long ago
        path.write_bytes(compose(beginning_now(header), [])[0])
    done = gamelog("record", path, "--reveal", stdin=f"{typed}\n")
    expected = next(e for e in decided(SAMPLES / game / f"{name}.jsonl") if e["n"] == n)
    assert decided(path)[-1] == expected, done.out


def test_a_carrier_that_lands_on_two_flags_takes_one_by_its_seat(gamelog: Gamelog) -> None:
    gamelog(
        "new", "dice_flags", "g.jsonl", "--seat", "north=Ana", "--seat", "east=Eva", "--seat", "south=Rui"
    )
    position = {
        "on_turn": "north",
        "first": "north",
        "turn": 0,
        "quiet_since": 0,
        "soldiers": {"north": {"F1": "S.f2"}},
        "flags": {"east": "S.flag"},
    }
    Path("position.json").write_text(json.dumps(position), "utf-8")
    typed = "6 2 1\ntable: @gap @position.json tea\n1 3\nF1 flag\neast\n"
    done = gamelog("record", "g.jsonl", stdin=typed)
    last = decided(Path("g.jsonl"))[-1]
    assert (last["do"], last["soldier"], last["flag"]) == ("pick_up", "F1", "east"), done.out


def test_the_rest_of_a_roll_is_left_with_stop(gamelog: Gamelog) -> None:
    gamelog(
        "new",
        "dice_flags",
        "g.jsonl",
        "--seat",
        "north=A",
        "--seat",
        "south=B",
        "--option",
        "must_move=false",
    )
    gamelog("record", "g.jsonl", stdin="6 2\n1 3\nstop\n")
    assert decided(Path("g.jsonl"))[-1]["do"] == "stop"


@pytest.mark.parametrize("game", FROM_SAMPLES)
def test_the_options_of_a_page_are_accepted(gamelog: Gamelog, game: str) -> None:
    page = (PAGES / f"{game}.md").read_text("utf-8")
    options = set(re.findall(r"`([a-z_]+=[a-z0-9]+)`", page))
    assert len(options) > 2
    seats = find(game).seats[min(find(game).seats)]
    for option in options:
        path = Path(f"{option}.jsonl")
        named = [word for seat in seats for word in ("--seat", f"{seat}={seat}")]
        assert gamelog("new", game, path, *named, "--option", option).status == 0, option
