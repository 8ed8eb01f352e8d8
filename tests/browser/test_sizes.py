"""Tests of legibility: sizes of type on desktops and phones, and the owners of letters and places."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gamelog_reports.replay_page.page import PageLinks, replay_page
from playwright.sync_api import Browser, Page, expect

from gamelog.play.contract.registry import find, names
from gamelog.play.judging.fold_record import FoldedRecord, fold_record
from gamelog.play.recording.series import simulate_game
from gamelog.record.reading import parse_record, read_record
from gamelog.record.record_file import compose
from tests.browser.conftest import Open, settle, until
from tests.reports.toy import folded, game, header
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser

MEASURED = """() => {
    const sizes = [], size = (e) => parseFloat(getComputedStyle(e).fontSize);
    const seen = (e) => e.getClientRects().length && getComputedStyle(e).clipPath === "none" && !e.closest("#preview");
    for (const text of document.querySelectorAll("svg text")) {
        if (!text.textContent.trim() || !seen(text)) continue;
        const m = text.getScreenCTM();
        sizes.push([size(text) * Math.hypot(m.a, m.b), text.getAttribute("class") + " " + text.textContent]);
    }
    for (const badge of document.querySelectorAll("svg.badge")) {
        if (seen(badge)) sizes.push([size(document.querySelector("symbol text")) * badge.clientWidth / 24, "badge"]);
    }
    for (const e of document.querySelectorAll("body *")) {
        if (e.closest("svg") || !seen(e) || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
        sizes.push([size(e), e.tagName + " " + e.textContent.slice(0, 30)]);
    }
    return sizes;
}"""
GO = "(n) => (gamelog.goto(n), new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"
"""JavaScript that goes to event n and waits until the board has the size of the window."""

FULL = {"zone_s": "full-2"}


@cache
def sample(name: str) -> FoldedRecord:
    return fold_record(read_record(DIRECTORY / name / f"{FULL.get(name, 'full-4')}.jsonl"))


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
def test_no_type_is_too_small_to_read(open_page: Open, name: str) -> None:
    folded = sample(name)
    assert folded.fold
    page = open_page(folded, width=1400, height=900)
    for width, height, least in ((1400, 900, 9), (390, 844, 7), (360, 740, 7), (320, 568, 7), (320, 256, 7)):
        page.set_viewport_size({"width": width, "height": height})
        for n in (0, folded.fold.n // 2, folded.fold.n):
            page.evaluate("(n) => gamelog.goto(n)", n)
            settle(page)
            sizes: list[Any] = page.evaluate(MEASURED)
            assert len(sizes) > 50
            assert [one for one in sizes if one[0] < least - 0.05] == []


@pytest.mark.grid
@pytest.mark.parametrize("name", ["zone_control", "dice_flags"])
def test_every_square_in_a_sentence_can_be_found(open_page: Open, name: str) -> None:
    """The board shows the name of the square, or of its column and row."""
    folded = sample(name)
    assert folded.fold
    ground = folded.fold.game.scene(folded.fold.states[0], None).ground
    page = open_page(folded, width=1400, height=900)
    shown = set(page.locator("#board .rim").all_text_contents())
    trays = " ".join(page.locator("#board .tray").all_text_contents())
    lost = [
        cell.id
        for cell in ground.cells
        if cell.kind != "blocked"
        and cell.id not in shown
        and cell.id not in trays
        and not (
            cell.id.rstrip("0123456789") in shown and cell.id[len(cell.id.rstrip("0123456789")) :] in shown
        )
    ]
    assert lost == []
    assert len(shown) > 20
    assert overlaps(page, "#board .rim") == []


def overlaps(page: Page, words: str) -> list[tuple[str, str]]:
    """Return the pairs of visible `words` that overlap by more than a pixel."""
    boxes = page.locator(words).evaluate_all(
        "(all) => all.map((e) => [e.textContent, e.getBoundingClientRect()])"
    )
    found = [
        (name, *(box[side] for side in ("left", "top", "right", "bottom")))
        for name, box in boxes
        if box["width"]
    ]
    return [
        (a[0], b[0])
        for at, a in enumerate(found)
        for b in found[:at]
        if a[1] < b[3] - 1 and b[1] < a[3] - 1 and a[2] < b[4] - 1 and b[2] < a[4] - 1
    ]


@pytest.mark.parametrize("name", ["gp02a_territory", "zone_control"])
def test_a_phone_shows_board_sentence_and_buttons_together(open_page: Open, name: str) -> None:
    page = open_page(sample(name), width=390, height=844)
    page.evaluate(GO, page.evaluate("gamelog.last"))
    board, desk = (page.locator(one).bounding_box() for one in ("#board", ".desk"))
    assert board and desk
    assert board["width"] > 360
    assert board["y"] + board["height"] <= desk["y"] + 1
    assert desk["y"] + desk["height"] <= 844


OUTSIDE = """() => {
    const out = [], picture = document.getElementById("board"), board = picture.getBoundingClientRect();
    const narrow = (word) => { // pieces are 60 hundredths of a cell wide
        const wide = 60 * word.closest(".piece").dataset.scale * picture.getScreenCTM().a;
        return word.getBoundingClientRect().width <= wide + 1.5;
    };
    for (const e of document.querySelectorAll("#board text")) {
        const { left, right, top, bottom } = e.getBoundingClientRect();
        const inside = left > board.left - 1 && right < board.right + 1 && top > board.top - 1 && bottom < board.bottom + 1;
        if (!inside) out.push("outside " + e.textContent);
    }
    for (const e of document.querySelectorAll("#board .piece .word")) if (!narrow(e)) out.push("wide " + e.textContent);
    return [out, document.documentElement.scrollWidth - innerWidth];
}"""


@pytest.mark.grid(keeps=("zone_s",))
@pytest.mark.parametrize("name", names())
def test_letters_do_not_overlap_on_any_phone(open_page: Open, name: str) -> None:
    """Coordinates overlap nothing, letters stay on pieces, names stay on the board, and nothing scrolls sideways."""
    folded = sample(name)
    assert folded.fold
    page = open_page(folded, "#n=0", width=390, height=844)
    for width, height in [
        *((width, 700) for width in range(320, 391, 14)),
        (360, 740),
        (320, 568),
        (320, 256),
        (844, 390),
    ]:
        page.set_viewport_size({"width": width, "height": height})
        for n in (folded.fold.n // 2, folded.fold.n):
            page.evaluate(GO, n)
            assert page.evaluate(OUTSIDE) == [[], 0], (width, height, n)
            for words in ("#board .rim", "#board .tile-word"):
                assert overlaps(page, words) == [], (width, height, n)


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740), (320, 568), (320, 400), (320, 256)])
def test_the_sentence_is_visible_when_a_page_opens_and_after_every_step(
    open_page: Open, name: str, width: int, height: int
) -> None:
    page = open_page(sample(name), f"#n={LONGEST[name]}", width=width, height=height)
    said = page.locator("#said")
    for _ in range(3):
        expect(said).to_be_in_viewport(ratio=1)
        page.keyboard.press("ArrowLeft")
    page.mouse.move(width / 2, height / 2)
    page.mouse.wheel(0, 120)  # to the rest of the board
    settle(page)
    if height < 400:
        expect(said).to_be_in_viewport(ratio=1)


def test_places_have_the_names_of_the_present_players(open_page: Open) -> None:
    page = open_page(sample("gp02a_territory"), "#n=1")
    expect(page.locator("#board .tray").first).to_have_text("hand · Ana")
    before = page.locator("#board .tray").all_text_contents()
    page.evaluate("gamelog.goto(9999)")
    assert page.locator("#board .tray").all_text_contents() != before  # a player replaced another


@pytest.mark.grid(keeps=("gp02a_territory",))
@pytest.mark.parametrize("name", names())
def test_captions_are_not_repeated_and_letters_have_a_legend(open_page: Open, name: str) -> None:
    folded = sample(name)
    assert folded.fold
    page = open_page(folded, width=1400, height=900)
    for n in range(0, folded.fold.n + 1, max(1, folded.fold.n // 12)):
        page.evaluate("(n) => gamelog.goto(n)", n)
        told = [box.locator("dt").all_text_contents() for box in page.locator("#captions, .card").all()]
        assert all(len(set(names)) == len(names) for names in told), told
    letters = {
        piece.text.rstrip("0123456789")
        for state in folded.fold.states
        for piece in folded.fold.game.scene(state, None).pieces
        if piece.kind not in ("die", "tile")
    } - {"", " ×"}
    legend(page, {text.split(" ")[0] for text in letters if text})


def legend(page: Page, letters: set[str]) -> None:
    """Check that the legend explains each of `letters`."""
    if letters:
        page.locator("#legend summary").click()
        until(page, "document.querySelector('#legend').open")
    assert letters <= set(page.locator("#legend dt").all_text_contents())


WHOLE = """() => {
    const told = document.querySelector(".told"), said = document.getElementById("said");
    const stage = document.querySelector(".stage").getBoundingClientRect();
    const cuts = (e) => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1;
    const cut = [told, said].filter(cuts).map((e) => e.id || e.className);
    const out = [...document.querySelectorAll(".stage button, .stage select, .stage input, #said")].filter((e) => {
        const box = e.getBoundingClientRect();
        return box.width && (box.right > stage.right + 0.5 || box.left < stage.left - 0.5 || box.bottom > stage.bottom + 0.5);
    });
    return [cut, out.map((e) => e.outerHTML.slice(0, 60)), document.documentElement.scrollWidth - innerWidth];
}"""
LONGEST = {"slicewars": 1213, "zone_control": 93, "gp02a_territory": 160, "dice_flags": 289, "zone_s": 87}


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    ("width", "height"), [(1400, 900), (390, 844), (844, 390), (640, 400), (350, 225), (320, 256)]
)
def test_the_sentence_is_never_cut(open_page: Open, name: str, width: int, height: int) -> None:
    """The longest sentence fits, and no button leaves its panel. 320 x 256 is 1280 x 1024 at 400 %."""
    folded = sample(name)
    page = open_page(folded, width=width, height=height)
    words: list[Any] = page.evaluate(
        "[...document.querySelectorAll('li.event .said')].map((e) => e.textContent.length)"
    )
    for n in sorted({LONGEST[name], words.index(max(words)) + 1}):
        page.evaluate("(n) => gamelog.goto(n)", n)
        settle(page)
        assert page.evaluate(WHOLE) == [[], [], 0], n


@pytest.mark.parametrize("width", [390, 844, 1024, 1440])
def test_the_links_to_other_games_leave_the_heading_its_room(open_page: Open, width: int) -> None:
    links = PageLinks(index="../index.html", previous="one.html", next="three.html")
    page = open_page(replay_page(sample("slicewars"), around=links), width=width)
    heading, nav = (page.locator(f"header {part}").bounding_box() for part in ("h1", "nav"))
    assert heading and nav
    assert nav["width"] < 140
    assert heading["width"] > width / 2
    assert heading["height"] < 60


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(("width", "height"), [(300, 300), (380, 300), (640, 480)])
def test_a_frame_shows_board_names_scores_and_a_link_to_the_page(
    open_page: Open, name: str, width: int, height: int
) -> None:
    page = open_page(sample(name), "#embed&n=57", width=width, height=height)
    for card in page.locator(".card").all():
        for part in (".name", ".score"):
            expect(card.locator(part)).to_be_in_viewport(ratio=0.9)
    board = page.locator(".field").bounding_box()
    assert board
    assert board["width"] * board["height"] > 0.36 * width * height
    expect(page.get_by_role("link", name="whole page")).to_be_in_viewport()
    assert page.locator("#whole").evaluate("(link) => link.href").endswith(".html#n=57")
    assert page.evaluate(WHOLE)[0] == []
    page.evaluate(GO, 99999)
    assert overlaps(page, "#board .tile-word") == []


def test_when_the_page_has_loaded_the_board_is_drawn(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "game.html").write_text(replay_page(sample("slicewars")))
    page = browser.new_page()
    page.goto((tmp_path / "game.html").as_uri() + "#n=300", wait_until="load")
    assert page.evaluate("document.querySelectorAll('#board .piece').length") > 20
    assert page.locator("iframe").count() == 0
    page.close()


@pytest.mark.grid(keeps=("gp02a_territory",))
@pytest.mark.parametrize("name", names())
def test_a_printed_game_is_a_small_file(open_page: Open, name: str) -> None:
    assert len(open_page(sample(name)).pdf(format="A4")) < 2_000_000


def test_forced_colours_keep_the_seat_to_move_and_luck(open_page: Open) -> None:
    page = open_page(sample("slicewars"), "#n=300", forced_colors="active")
    looks = page.evaluate(
        "[...document.querySelectorAll('.card')].map((e) => [e.className, getComputedStyle(e).outlineStyle])"
    )
    assert {("active" in name, style) for name, style in looks} == {(True, "solid"), (False, "none")}
    rows = page.locator("li.event a:visible").evaluate_all(
        "(all) => all.map((e) => [e.ariaCurrent, getComputedStyle(e).outlineStyle])"
    )
    assert {(bool(current), style) for current, style in rows} == {(True, "solid"), (False, "none")}
    bar = page.locator(".meter i").first.evaluate(
        "(e) => [getComputedStyle(e).backgroundColor, getComputedStyle(e.parentNode).backgroundColor]"
    )
    assert bar[0] != bar[1]


def test_the_dice_of_a_turn_are_shown_until_they_are_used(open_page: Open) -> None:
    folded = sample("dice_flags")
    assert folded.fold
    page = open_page(folded, "#n=149")  # 2 and 3 are rolled, then the 3 is used, then the 2
    for n, faces in ((149, 2), (150, 1), (151, 0)):
        page.evaluate("(n) => gamelog.goto(n)", n)
        expect(page.locator("#dice .die")).to_have_count(faces)
    page = open_page(sample("zone_control"), "#n=88")
    for n, faces in ((88, 2), (90, 2), (93, 7), (94, 0)):
        page.evaluate("(n) => gamelog.goto(n)", n)
        expect(page.locator("#dice .die")).to_have_count(faces)


def test_successive_unseen_events_have_one_line(open_page: Open) -> None:
    page = open_page(sample("zone_s"))
    rows = page.locator("li.event:visible")
    before = int(rows.first.get_attribute("aria-setsize") or 0)
    expect(page.locator("li.event .said", has_text="hidden events").first).to_be_visible()
    page.evaluate("gamelog.goto(20)")
    expect(page.locator("li.event a[aria-current]")).to_be_visible()
    page.get_by_label("View").select_option("all")
    assert int(rows.first.get_attribute("aria-setsize") or 0) > before + 30
    assert page.locator(".veiled").count() == 0


@pytest.mark.grid
@pytest.mark.parametrize("name", names())
def test_charts_name_their_axes(open_page: Open, name: str) -> None:
    page = open_page(sample(name), width=1400, height=900)
    told = page.locator("#axes").inner_text()
    assert find(name).unit in told
    assert "events 0 to" in told
    heights = page.evaluate("[...document.querySelectorAll('#plot .line')].map((e) => e.getBBox().height)")
    assert max(heights) > 20
    if name == "dice_flags":
        assert "logarithmic scale from 200" in told
        assert int(page.locator("#high").inner_text()) > 200


def test_a_chart_shows_changes_if_all_seats_begin_with_many_points(open_page: Open) -> None:
    page = open_page(
        fold_record(read_record(DIRECTORY / "dice_flags" / "full-2.jsonl")), width=1400, height=900
    )
    assert "logarithmic scale from 200" in page.locator("#axes").inner_text()
    assert page.locator("#high").inner_text() == "411"  # the same points as at the end of the line
    assert page.locator("#ends").inner_text().split() == ["Ana", "411", "Omar", "4"]


def test_reasons_are_words(open_page: Open) -> None:
    for path in sorted((DIRECTORY / "slicewars").glob("ended-*.jsonl")):
        page = open_page(fold_record(read_record(path)), "#n=99999")
        expect(page.locator("#turn")).to_contain_text("The game is over")
        assert "_" not in page.locator("#turn").inner_text() + page.locator("#said").inner_text()


ZALGO = "Z" + "\u0321\u0334\u035e" * 40 + "algo"


def test_stacked_accents_stay_in_their_place(open_page: Open) -> None:
    """A name overlaps nothing on cards, in headings, in the list and in the sentence."""
    page = open_page(folded(game(), header(ZALGO, "Rui")), "#n=2")
    for place in ("h1", "#turn", ".card .name", ".turn h3", "li.event .said", "#said"):
        cut = page.locator(place).first.evaluate("(e) => getComputedStyle(e).overflowY")
        assert cut in ("clip", "hidden"), place


def test_direction_characters_in_names_are_escaped_everywhere(open_page: Open) -> None:
    page = open_page(folded(game(), header("Ana\u2069\u202e", "Rui")), "#n=2")
    shown = page.evaluate("document.title + document.body.innerText + document.head.innerHTML")
    assert "Ana\\u2069\\u202e" in shown
    assert not set("\u202e\u2066\u2069") & set(shown)


def test_in_print_the_pieces_of_seats_differ_without_colours(open_page: Open) -> None:
    page = open_page(sample("dice_flags"))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    looks = page.evaluate(
        """() => Object.fromEntries([0, 1, 2, 3].map((seat) => {
            const style = (part) => getComputedStyle(document.querySelector(`#paper .piece ${part}${seat}`));
            const body = style(".body.seat");
            return [seat, [body.fillOpacity, body.strokeDasharray].join(" ")];
        }))"""
    )
    assert len(set(looks.values())) == len(looks) == 4


def test_in_print_the_letter_of_an_owner_is_inside_its_hexagon(open_page: Open) -> None:
    record = compose(*simulate_game(find("slicewars"), "letters", 1, board="hex36", players=2))[0]
    page = open_page(fold_record(parse_record(record)))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    outside = (
        page.locator("#paper figure")
        .first.locator(".owner")
        .evaluate_all(
            """(all) => all.map((owner) => {
            const { x, width } = owner.querySelector("text").getBBox(), y = Number(owner.querySelector("text").getAttribute("y"));
            const [right, below] = owner.querySelector("polygon").points, high = [y, y - 17]; // ends of a capital of 24 units
            const edges = high.map((end) => right.x - Math.abs(end) / below.y * (right.x - below.x));
            return x + width - Math.min(...edges);
        })"""
        )
    )
    assert len(outside) > 20
    assert max(outside) < 1.5  # in hundredths of a cell: the border is wider


def test_in_print_every_seat_has_its_letter(open_page: Open) -> None:
    """Print can be grey, and patterns make files large. So dice have letter and number, and owned cells a letter."""
    page = open_page(sample("slicewars"), "#n=300")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    last = page.locator("#paper figure").nth(5)
    dice = last.locator(".piece:has(.body:not(.nobody))")
    assert dice.count() > 20
    assert not [text for text in dice.all_text_contents() if not re.fullmatch("[A-Z][1-9]", text)]
    assert last.locator(".owner text").count() == last.locator(".owner").count() > 20
    sizes = last.locator("text").evaluate_all(
        "(all) => all.map((e) => parseFloat(getComputedStyle(e).fontSize) * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b))"
    )
    assert min(sizes) > 3.4  # in hundredths of an inch: the size of small print on a map
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page = open_page(sample("dice_flags"))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#paper figure").nth(1).locator(".rim").count() > 40
    assert overlaps(page, "#paper figure:nth-of-type(2) .rim") == []
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page = open_page(sample("zone_control"))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#paper .piece").count() == page.locator("#paper .piece .word").count() > 100


PLACES = """() => {
    const places = new Set(), box = (id) => document.querySelector(id).getBoundingClientRect();
    for (let n = 1; n <= gamelog.last; n++) {
        gamelog.goto(n);
        const board = box("#board"), next = box("[data-act=next]");
        places.add([board.top, board.height, next.left, next.top].map(Math.round).join());
    }
    return places.size;
}"""


@pytest.mark.parametrize("size", [(1440, 900), (1024, 768), (390, 844), (844, 390)])
def test_board_and_buttons_keep_their_places_over_the_steps(open_page: Open, size: tuple[int, int]) -> None:
    page = open_page(sample("gp02a_territory"), width=size[0], height=size[1])
    assert page.evaluate(PLACES) == 1


def test_paths_are_above_tiles_and_below_pieces(open_page: Open) -> None:
    page = open_page(fold_record(read_record(DIRECTORY / "zone_s" / "ruled.jsonl")), "#n=118")
    layers = page.locator("#board .tiles, #board .ways, #board .stand, #board .heads").evaluate_all(
        "(all) => all.map((one) => [one.getAttribute('class'), one.childElementCount > 0])"
    )
    assert layers == [["tiles", True], ["ways", True], ["stand", True], ["heads", True]]
    assert page.locator("#board .stand .tile").count() == 0


def test_pieces_without_a_player_have_their_own_colour(open_page: Open) -> None:
    page = open_page(fold_record(read_record(DIRECTORY / "gp02a_territory" / "full-3.jsonl")), "#n=40")
    yellow = page.locator("#board .piece", has_text=re.compile("^Y$")).first.locator(".body")
    assert yellow.evaluate("(e) => getComputedStyle(e).fill") == "rgb(244, 196, 46)"


def test_pieces_leave_room_for_the_names_of_cells_on_a_low_screen(open_page: Open) -> None:
    page = open_page(
        fold_record(read_record(DIRECTORY / "gp02a_territory" / "full-3.jsonl")),
        "#n=40",
        width=844,
        height=390,
    )
    covered = page.evaluate(
        """() => {
            const box = (e) => e.getBoundingClientRect(), labels = [...document.querySelectorAll("#board .label:not(.tray)")];
            return [...document.querySelectorAll("#board .body")].map(box).filter(({ left, top, bottom, right }) =>
                labels.map(box).some((one) => one.bottom - 2 > top && one.top < bottom && one.right > left && one.left < right)).length;
        }"""
    )
    assert covered == 0


@pytest.mark.parametrize(
    ("name", "n"), [("zone_s/full-2", 89), ("slicewars/full-4", 1210), ("gp02a_territory/full-3", 179)]
)
def test_the_sentence_is_above_the_slider_on_a_low_screen(open_page: Open, name: str, n: int) -> None:
    page = open_page(fold_record(read_record(DIRECTORY / f"{name}.jsonl")), f"#n={n}", width=844, height=390)
    settle(page)
    said, slider = page.locator("#said").bounding_box(), page.locator("#slider").bounding_box()
    assert said
    assert slider
    assert said["y"] + said["height"] <= slider["y"]


def test_a_card_shows_the_points_that_rulings_gave(open_page: Open) -> None:
    page = open_page(fold_record(read_record(DIRECTORY / "zone_s" / "ruled.jsonl")), "#n=118")
    card = page.locator(".card", has_text="Rui")
    expect(card.locator("div", has_text="points by rulings").locator("dd")).to_have_text("−1")
    page.evaluate("gamelog.goto(1)")
    expect(card).not_to_contain_text("points by rulings")
