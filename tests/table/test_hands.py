"""Tests of cards, chips and pieces at the table: the page says whose they are, and asks which one is meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

import gamelog
from tests.examples.conftest import EXAMPLES, installed
from tests.samples.__main__ import DIRECTORY
from tests.table.client import serve_in_thread
from tests.table.touch import Device


@pytest.mark.browser
def test_the_scorer_reads_whose_card_is_dealt(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with installed(tmp_path / "site", [EXAMPLES / "duel"]):
        path = tmp_path / "duel.jsonl"
        gamelog.create(path, "duel", seats={"red": "Ana", "blue": "Rui"})
        with serve_in_thread(path) as serving:
            (draw,) = serving.scorer.get("/choices").json["chance"]["draws"]
            assert draw["receivers"] == ["red"] * 3 + ["blue"] * 3
            device = Device(browser, serving.links[0]["url"])
            prompt, dealt = device.page.locator("#pad p").first, device.page.locator("#pad .thrown")
            assert prompt.inner_text() == "Ana: enter the draw (1 of 3)"
            for card in ("1", "7", "12", "2"):
                device.tap_button(f"{card} (1 left)", "#pad")
            assert prompt.inner_text() == "Rui: enter the draw (2 of 3)"
            assert dealt.all_inner_texts() == ["Ana: 1 7 12", "Rui: 2"]
            for card in ("8", "11"):
                device.tap_button(f"{card} (1 left)", "#pad")
            device.at(1)
            assert serving.scorer.get().json["event"]["hands"] == {"red": [1, 7, 12], "blue": [2, 8, 11]}
            assert serving.scorer.write({"do": "call", "what": "high"}).status == 201
            device.at(2)
            asked = device.page.inner_text("#ask").split("\n\n")[0]
            assert asked == "Ana, Rui: Choose below."
            cards = device.page.locator("#ask button").all_inner_texts()
            assert cards == [
                *(f"card {n} (Ana)" for n in (1, 7, 12)),
                *(f"card {n} (Rui)" for n in (2, 8, 11)),
            ]
            own = Device(browser, serving.client_link("seat", "blue"))
            own.at(2)
            assert own.page.locator("#ask button").all_inner_texts() == ["card 2", "card 8", "card 11"]
            own.context.close()
            assert device.complaints == []
            device.context.close()


def sample(path: Path, game: str, n: int) -> Path:
    """Write the first `n` events of a sample record to `path`."""
    lines = (DIRECTORY / game / "full-3.jsonl").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: n + 1]))
    return path


@pytest.mark.browser
def test_turn_cards_name_players_and_the_prompt_says_what_to_choose(browser: Browser, tmp_path: Path) -> None:
    with serve_in_thread(sample(tmp_path / "world.jsonl", "gp02a_territory", 5)) as serving:
        device = Device(browser, serving.links[0]["url"])
        device.at(5)
        name = {seat.seat: seat.name for seat in gamelog.read(tmp_path / "world.jsonl").header.seats}
        prompt = device.page.locator("#ask .due").first
        assert prompt.inner_text().endswith(": hand out the turn cards")
        cards = device.page.locator("#ask button[data-token]").all_inner_texts()
        assert {f"{name['blue']}: 1", f"{name['red']}: 2", f"{name['green']}: 4"} <= set(cards)
        choice = serving.scorer.get("/choices").json["choices"][0]["event"]
        assert serving.scorer.write(choice).status == 201
        device.at(6)
        first = name[serving.scorer.get("/choices").json["choices"][0]["event"]["by"]]
        assert prompt.inner_text() == f"{first}: choose the chip for the chronology"
        assert device.complaints == []
        device.context.close()


@pytest.mark.browser
def test_a_tap_on_two_soldiers_asks_which_one(browser: Browser, tmp_path: Path) -> None:
    with serve_in_thread(sample(tmp_path / "dice.jsonl", "dice_flags", 71)) as serving:
        device = Device(browser, serving.links[0]["url"])
        device.at(71)
        device.tap_cell("E.f1")
        assert "Which one?" in device.page.inner_text("#ask")
        men = device.page.locator("#ask button").all_inner_texts()
        assert sorted(men) == ["H2", "P4"]
        device.tap_button("P4")
        assert device.page.locator("[data-cell='E.f1']").get_attribute("aria-pressed") == "true"
        assert device.complaints == []
        device.context.close()
