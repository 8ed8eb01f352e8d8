"""Tests of replays and steps in a notebook, on a page like the notebook's page."""

from pathlib import Path

from playwright.sync_api import Browser

import gamelog
from tests.browser.conftest import until

ROOT = Path(__file__).parents[2]


def test_a_replay_runs_in_a_frame_and_a_step_is_a_board(browser: Browser, tmp_path: Path) -> None:
    game = gamelog.read(ROOT / "sample_games/slicewars/short.jsonl")
    file = tmp_path / "notebook.html"
    cells = (
        f"<meta charset='utf-8'><div>{game._repr_html_()}</div><div id='step'>{game[6]._repr_html_()}</div>"
    )
    file.write_text(f"<!doctype html>{cells}", encoding="utf-8")
    page = browser.new_page(viewport={"width": 1000, "height": 1400})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto(file.as_uri())
    (frame,) = page.main_frame.child_frames  # the replay has its own frames while it loads
    frame.wait_for_load_state()
    frame.locator("svg").first.wait_for()
    until(frame, "globalThis.gamelog?.last")
    frame.evaluate("gamelog.goto(6)")
    assert frame.evaluate("gamelog.n") == 6
    assert "Rui claims F4." in frame.locator("body").inner_text()
    until(page, "document.querySelector('#step svg').getBoundingClientRect().width > 300")
    assert page.locator("#step figcaption").inner_text() == "6. Rui claims F4."
    assert not wrong
    page.close()
