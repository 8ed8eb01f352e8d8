"""A test of the drawing vocabulary in a real browser: stacks, icons, groups and badges."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from gamelog.play.contract.scene import BoardLayout, Cell, Mark, Piece, Scene
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.browser.conftest import Open
from tests.reports import toy
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser

GROUND = BoardLayout(
    (Cell("a", 0, 0, stacked=True), Cell("b", 1, 0), Cell("c", 2, 0), Cell("h", 0, 1)),
    icons=(("K", "M-20 20H20V-20Z"),),
)
SCENE = Scene(
    GROUND,
    (
        *(Piece("a", "disc", seat) for seat in ("red", "N", "N", "red", "N", "N", "red")),
        Piece("b", "token", "red", "K"),
    ),
    marks=(
        *(Mark(at, "group", "3 points", "red") for at in ("b", "c")),
        Mark("h", "badge", "king of the hill"),
    ),
)

DRAWN = """() => {
  const all = (what) => [...document.querySelectorAll("#board " + what)], texts = (what) => all(what).map((one) => one.textContent);
  return {
    tops: all(".content")[0] && [...all(".content")[0].querySelectorAll(".piece .body")].map((one) => one.getBoundingClientRect().top),
    seats: [...all(".content")[0].querySelectorAll(".piece .body")].map((one) => one.classList[1]),
    counts: texts(".count"), icons: all(".icon").map((one) => one.getAttribute("d")), tags: texts(".points text"),
    groups: all(".group:not(.casing)").map((one) => [one.classList[1], one.getAttribute("d").split("M").length - 1]),
  };
}"""


def test_stacks_icons_groups_and_badges_are_drawn(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def scene(_state: Any, _seat: str | None = None) -> Scene:
        return SCENE

    monkeypatch.setattr(toy, "TOY", replace(toy.TOY, scene=scene))
    drawn = open_page(toy.folded([toy.Lay(1, 1_000, "red", "a", "disc")])).evaluate(DRAWN)
    assert all(low > high for low, high in pairwise(drawn["tops"])), "the last piece is on top"
    assert drawn["seats"] == [f"seat{at}" for at in (1, 1, 0, 1, 1, 0)], (
        "the lowest of seven pieces is covered"
    )
    assert drawn["counts"] == ["×7"]
    assert drawn["icons"] == ["M-20 20H20V-20Z"]
    assert drawn["groups"] == [["stroke0", 6]], "two squares have six outer edges"
    assert drawn["tags"] == ["3", "king"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_have_no_hue_so_that_they_belong_to_no_seat(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, theme: Any
) -> None:
    def scene(_state: Any, _seat: str | None = None) -> Scene:
        return Scene(GROUND, SCENE.pieces, marks=(Mark("b", "from"), Mark("c", "to")))

    monkeypatch.setattr(toy, "TOY", replace(toy.TOY, scene=scene))
    page = open_page(toy.folded([toy.Lay(1, 1_000, "red", "a", "disc")]), color_scheme=theme)
    mark = page.locator("#board .under .mark").first
    for colour in mark.evaluate("(e) => [getComputedStyle(e).fill, getComputedStyle(e).stroke]"):
        channels = [int(channel) for channel in re.findall(r"\d+", colour)[:3]]
        assert max(channels) - min(channels) < 16, colour


COVERED = """() => {
  const box = (e) => e.getBoundingClientRect(), seen = (e) => e.getClientRects().length && getComputedStyle(e).visibility !== "hidden";
  const content = [...document.querySelectorAll("#board :is(.label, .rim, .tile-word, .piece .word, .piece .pips)")].filter((e) => seen(e) && e.textContent);
  const found = [];
  for (const tag of document.querySelectorAll("#board .points rect")) {
    const mine = box(tag), meets = (other, more) => other.left < mine.right - more && other.right > mine.left + more && other.top < mine.bottom - more && other.bottom > mine.top + more;
    for (const e of content) if (meets(box(e), 1)) found.push([gamelog.n, tag.nextSibling.textContent, e.textContent]);
    for (const other of document.querySelectorAll("#board .points rect")) if (other !== tag && meets(box(other), 1)) found.push([gamelog.n, tag.nextSibling.textContent, "tag"]);
  }
  return found;
}"""


@pytest.mark.grid
@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844)])
@pytest.mark.parametrize("name", ["zone_s/full-2", "zone_control/full-4", "gp02a_territory/full-3"])
def test_tags_cover_no_words_and_no_other_tags(open_page: Open, name: str, size: tuple[int, int]) -> None:
    page = open_page(fold_record(read_record(DIRECTORY / f"{name}.jsonl")), width=size[0], height=size[1])
    last = page.evaluate("gamelog.last")
    seen = 0
    for n in [*range(10, last, 12), last]:
        page.evaluate("(n) => gamelog.goto(n)", n)
        assert page.evaluate(COVERED) == []
        seen += page.locator("#board .points").count()
    assert seen >= 4
