"""Tests of rolls that the players enter: who can record them, prompts, the lobby, and a game without a scorer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from gamelog_table.live.followers import Delay
from playwright.sync_api import Browser

import gamelog
from gamelog.errors import BadSetup
from gamelog.play.contract.registry import find
from tests.table.client import Serving, serve_in_thread
from tests.table.conftest import FIRST
from tests.table.test_lobby import summaries
from tests.table.touch import Device

PEOPLE = {"red": "Ana", "blue": "Rui"}
SAMPLES = Path(__file__).parents[2] / "sample_games"
ONLY_SCORER = "Only the scorer can record dice and draws of the table."
ONLY_RED = 'Only the seat "red" or the scorer can record this roll.'


def served(tmp_path: Path, **settings: Any) -> Path:
    path = tmp_path / "slices.jsonl"
    gamelog.create(path, "slicewars", seats=PEOPLE, **settings)
    return path


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Serving]:
    """Serve a game in which the players enter rolls and agree on takebacks."""
    with serve_in_thread(served(tmp_path, rolls="players", takebacks="agreed")) as serving:
        yield serving


def to_battle(serving: Serving) -> int:
    """Play by the first choices until red has to roll for a battle, and return the number of the last event."""
    while True:
        decisions = serving.scorer.get("/choices").json
        if decisions["chance"] and (decisions["chance"]["do"], decisions["chance"]["by"]) == (
            "battle",
            "red",
        ):
            return int(decisions["n"])
        if decisions["chance"]:
            dice = [[6] if draw["seat"] == "red" else [1] for draw in decisions["chance"]["draws"]]
            event: dict[str, Any] = {"results": dice}
        else:
            attacks = [one["event"] for one in decisions["choices"] if one["event"]["do"] == "attack"]
            event = (attacks or [one["event"] for one in decisions["choices"]])[0]
        assert serving.scorer.write(event).status == 201, event


def faces(serving: Serving) -> list[list[int]]:
    """Return possible results of the roll that is due."""
    return [[6] * draw["count"] for draw in serving.scorer.get("/choices").json["chance"]["draws"]]


def test_any_seat_enters_a_roll_of_the_table_and_a_seat_its_own(table: Serving) -> None:
    red, blue = table.client("seat", "red"), table.client("seat", "blue")
    for seat in (red, blue):
        found = seat.get("/choices").json
        assert (found["chance"]["do"], found["rolling"]) == ("start_roll", ["red", "blue"])
    assert red.write({**FIRST, "by": "blue"}).status == 403
    assert red.write({"do": "battle", "attack": [1], "defence": [1]}).json["error"]["message"] == (
        '"battle" is not due now. Look at the board.'
    )
    assert blue.write(FIRST).status == 201, "the roll is by the table, although no author is sent"
    n = to_battle(table)
    for proposal in ({"results": faces(table)}, {"do": "battle", "attack": [1], "defence": [1]}):
        denied = blue.write(proposal)
        assert (denied.status, denied.json["error"]["message"]) == (403, ONLY_RED)
    assert (blue.get("/choices").json["chance"], blue.get("/choices").json["rolling"]) == (None, ["red"])
    for other in (table.spectator, table.client("arbiter")):
        assert other.write({"results": faces(table)}).status == 403
    assert red.get("/choices").json["chance"]["do"] == "battle"
    assert red.write({"results": faces(table), "expect": n}).status == 201
    assert table.scorer.get().json["event"]["by"] == "red"


def test_the_scorer_can_always_enter_a_roll(table: Serving) -> None:
    assert table.scorer.write(FIRST).status == 201


@pytest.mark.parametrize("settings", [{}, {"rolls": "scorer"}])
def test_without_this_setting_only_the_scorer_enters_a_roll_of_the_table(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    with serve_in_thread(served(tmp_path, **settings)) as serving:
        red = serving.client("seat", "red")
        found = red.get("/choices").json
        assert (found["chance"], found["rolling"]) == (None, [])
        for proposal in ({"results": [[5], [2]]}, FIRST, {**FIRST, "by": "table"}):
            denied = red.write(proposal)
            assert denied.status == 403
            if "dice" not in settings:
                assert denied.json["error"]["message"] == ONLY_SCORER
        portuguese = red.ask("POST", "/events", FIRST, {"Accept-Language": "pt"})
        assert "anotador" in portuguese.json["error"]["message"] or "dice" in settings


def test_a_roll_that_is_sent_again_is_confirmed_and_a_second_device_is_told_what_was_recorded(
    table: Serving,
) -> None:
    red, blue = table.client("seat", "red"), table.client("seat", "blue")
    first = red.write({"results": [[5], [2]], "id": "k", "expect": 0})
    again = red.write({"results": [[5], [2]], "id": "k", "expect": 0})
    assert (first.status, again.status, again.json["h"]) == (201, 201, first.json["h"])
    for other in ({"results": [[2], [5]], "id": "k", "expect": 0}, {"results": [[5], [2]], "expect": 0}):
        late = blue.write(other)
        assert (late.status, late.json["n"], len(late.json["written"])) == (409, 1, 1)
    assert blue.write({"results": [[5], [2]]}).code == "chance.missing"


def test_a_player_takes_a_roll_back_as_any_event_if_the_others_agree(table: Serving) -> None:
    red, blue = table.client("seat", "red"), table.client("seat", "blue")
    assert red.write(FIRST).status == 201
    undo = red.get("/choices").json["undo"]
    assert [one["n"] for one in undo["undone"]] == [1]
    assert red.write(undo["event"]).status == 201
    assert blue.write({"do": "@accept", "about": 2}).status == 201
    assert blue.get("/choices").json["chance"]["do"] == "start_roll"


def test_a_draw_from_a_bag_that_others_hide_in_part_is_the_scorers(tmp_path: Path) -> None:
    path = tmp_path / "zone.jsonl"
    seats = dict.fromkeys(find("zone_s").seats[2], "Ana")
    gamelog.create(path, "zone_s", seats=seats, rolls="players")
    with serve_in_thread(path) as serving:
        tiles = 0
        while tiles < 2:
            found = serving.scorer.get("/choices").json
            drawn = {"results": [["fields"]]} if found["chance"] else found["choices"][0]["event"]
            owner = serving.client("seat", found["chance"]["by"]) if found["chance"] else None
            if owner and tiles:  # the other player has placed a tile behind the screen
                denied = owner.write(drawn)
                assert denied.status == 403
                assert "hidden from your seat" in denied.json["error"]["message"]
                assert (owner.get("/choices").json["chance"], owner.get("/choices").json["rolling"]) == (
                    None,
                    [],
                )
            writer = owner if owner and not tiles else serving.scorer
            tiles += owner is not None
            assert writer.write(drawn).status == 201


def test_the_lobby_marks_the_players_who_roll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamelog_table.pages.summaries.REFRESH_SECONDS", 0.0)
    served(tmp_path)
    with serve_in_thread(tmp_path) as serving:
        assert summaries(serving.scorer)["slices"]["by"] == ["red", "blue"]


def test_players_who_enter_rolls_cannot_depend_on_a_scorer_for_takebacks(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match="Choose who agrees to takebacks"):
        served(tmp_path, rolls="players", takebacks="scorer")
    with serve_in_thread(tmp_path) as serving:
        asked = {
            "game": "slicewars",
            "seats": PEOPLE,
            "rolls": "players",
            "takebacks": "scorer",
            "name": "one",
        }
        refused = serving.scorer.ask("POST", "?lang=pt", asked)
        assert (refused.status, refused.code) == (422, "play.setup")
        assert "os outros jogadores (agreed) ou o árbitro" in refused.json["error"]["message"]
        assert not list(tmp_path.glob("*.jsonl"))


def test_a_new_record_and_its_rematch_keep_who_enters_rolls(tmp_path: Path) -> None:
    with serve_in_thread(tmp_path) as serving:
        asked = {"game": "slicewars", "seats": PEOPLE, "rolls": "players", "name": "one"}
        assert serving.scorer.ask("POST", "", asked | {"rolls": "nobody"}).status == 400
        assert serving.scorer.ask("POST", "", asked).status == 201
        result = {"winners": ["red"], "reason": "agreed"}
        for seat in PEOPLE:
            body = (
                {"do": "@agree", "by": seat, "result": result}
                if seat == "red"
                else {"do": "@accept", "by": seat, "about": 1}
            )
            assert serving.scorer.ask("POST", "/one/events", body).status == 201
        links = serving.scorer.get("/one/links").json["links"]
        red, blue = (serving.scorer.with_token(link["token"]) for link in links if link["role"] == "seat")
        assert "Any of the players" in serving.spectator.get("/one/rematch").json["error"]["message"]
        assert serving.spectator.ask("POST", "/one/rematch").status == 403
        made = red.ask("POST", "/one/rematch", {})
        assert (made.status, made.json["name"]) == (201, "one, game 2")
        assert (again := blue.ask("POST", "/one/rematch", {})).status == 200, "a record has one rematch"
        assert again.json["token"] != made.json["token"]
        assert red.with_token(made.json["token"]).get("/one%2C%20game%202").status == 200
        assert serving.scorer.ask("POST", "/one/rematch").status == 200
    for path in tmp_path.glob("*.jsonl"):
        assert gamelog.read(path).header.rolls == "players", path
    assert len([*tmp_path.glob("*.jsonl")]) == 2


@pytest.mark.browser
def test_two_players_begin_a_game_of_dice_without_a_scorer(browser: Browser, tmp_path: Path) -> None:
    with serve_in_thread(tmp_path) as serving:
        links = _begin_by_form(browser, serving, tmp_path)
        north, south = (Device(browser, links[seat]) for seat in ("north", "south"))
        for one in (north, south):
            one.at(0)
            one.wait("document.title.startsWith('● Your turn')")
        throw = "roll 1 die, then tap the number. Throw"
        assert north.page.inner_text("#pad p") == f"Ana: {throw} 1 of 2, all on one device."
        assert south.page.inner_text("#pad p") == f"Rui: {throw} 1 of 2, all on one device."
        south.tap_button("6", "#pad")
        north.tap_button("2", "#pad")
        assert south.page.inner_text("#pad p") == f"Ana: {throw} 2 of 2, all on one device."
        south.tap_button("5", "#pad")
        held = south.page.inner_text("#held").translate(str.maketrans("", "", "\u2068\u2069"))
        assert held.startswith("Rui: 6, Ana: 5."), "in the order in which they were entered"
        south.release()
        north.page.get_by_text(
            "Your roll was not recorded, because something else was: Ana rolls 5."
        ).wait_for()
        _roll(south, north, "Rui", 1)
        (path,) = tmp_path.glob("*.jsonl")
        for n in (2, 3):
            south.at(n)
            decisions = serving.scorer.get(f"/{quote(path.stem)}/choices").json
            south.choose(decisions["choices"][0], decisions["tokens"])
            south.release()
        _roll(north, south, "Ana", 4, offline=True)
        for one in (north, south):
            one.at(5)
            assert [text for text in one.complaints if "INTERNET_DISCONNECTED" not in text] == []
            one.context.close()
    assert gamelog.validate(path).status == "ok"


def _begin_by_form(browser: Browser, serving: Serving, folder: Path) -> dict[str, str]:
    """Begin a game of Dice in which the players enter rolls, and return the links of the seats."""
    device = Device(browser, serving.links[0]["url"])
    page = device.page
    page.locator("#begin select").first.select_option("dice_flags")
    page.get_by_text("Rules, dice and takebacks").tap()
    rolls, dice = (
        page.get_by_label("Dice are entered by"),
        page.locator("#begin select:has(option[value=seeded])"),
    )
    dice.select_option("seeded")
    assert rolls.is_hidden(), "the computer rolls"
    dice.select_option("table")
    hint = page.locator("#begin label:has(option[value=players]) small")
    assert hint.inner_text() == (
        "Choose “the players” to play without a scorer. Each new game begins with the scorer."
    )
    rolls.select_option(label="the players")
    for field, name in zip(page.locator(".people-names input").all(), PEOPLE.values(), strict=True):
        field.fill(name)
    page.get_by_role("button", name="Start game").tap()
    device.at(0)
    assert device.complaints == []
    device.context.close()
    (path,) = folder.glob("*.jsonl")
    links = serving.scorer.get(f"/{quote(path.stem)}/links").json["links"]
    return {link["seat"]: link["url"] for link in links if link["role"] == "seat"}


def _roll(mover: Device, other: Device, name: str, n: int, *, offline: bool = False) -> None:
    """Enter the roll that follows event `n` on the device of `name`, the player who rolls."""
    mover.at(n)
    other.at(n)
    assert mover.page.inner_text("#pad p") == f"{name}: roll 2 dice"
    assert other.page.inner_text("#ask .due") == f"{name} enters the result of this roll or draw."
    assert other.page.locator("#pad button").count() == 0
    assert mover.page.title().startswith("● Your turn")
    assert not other.page.title().startswith("●")
    mover.context.set_offline(offline)
    mover.tap_button("2 1", "#pad .pairs")
    mover.release()
    if offline:
        mover.wait("!document.getElementById('waiting').hidden")
        mover.context.set_offline(False)
    mover.at(n + 1)


def seeded(tmp_path: Path, attacks: int) -> Path:
    """Return a record with seeded dice, up to the first attack with `attacks` 1, or up to the event before it."""
    whole = (SAMPLES / "slicewars/seeded.jsonl").read_text().splitlines()
    header, *events = map(json.loads, whole)
    before = next(at for at, event in enumerate(events) if event["do"] == "attack")
    path = tmp_path / "seeded.jsonl"
    gamelog.create(
        path,
        "slicewars",
        seats={one["seat"]: one["name"] for one in header["seats"]},
        options=header["options"],
        takebacks="agreed",
        dice="seeded",
        seed=header["dice"]["seed"],
        id=header["id"],
    )
    with gamelog.open(path) as recorder:
        for one in events[: before + attacks]:
            recorder.append({name: value for name, value in one.items() if name not in ("h", "n", "t")})
    return path


def test_a_roll_that_follows_from_a_seed_is_seen_by_no_player_before_it_is_recorded(tmp_path: Path) -> None:
    with serve_in_thread(seeded(tmp_path, 1)) as serving:
        seat = serving.client("seat", serving.scorer.get("/choices").json["chance"]["by"])
        guess: dict[str, Any] = {"do": "battle", "attack": [1], "defence": [1]}
        for event in ({"results": "known"}, guess):
            asked = seat.ask("POST", "/would", event)
            assert (asked.status, asked.code, [*asked.json]) == (200, "table.hidden", ["error"])
            assert seat.ask("POST", "/would?next", event).json == {"next": None}
        for event in (guess, {"results": faces(serving)}):
            assert seat.write(event).json["error"]["message"] == (
                "The results of this roll follow from the record. Record the roll without results."
            )
        assert seat.write({"results": "known"}).status == 201


def test_a_game_that_is_over_for_a_moment_does_not_tell_its_seed(tmp_path: Path) -> None:
    with serve_in_thread(seeded(tmp_path, 0), Delay(events=3)) as serving:
        red, clients = serving.client("seat", "red"), [serving.client("seat", "blue"), serving.spectator]
        assert red.write({"do": "@resign"}).status == 201
        for client in (red, *clients):
            assert client.get("/record").status == 403
        assert serving.scorer.get("/record").status == 200
        outcome = {"winners": ["blue"], "reason": "resigned"}
        assert serving.scorer.write({"do": "@result", "by": "table", "outcome": outcome}).status == 201
        for client in (red, *clients):
            assert client.get("/record").status == 200
