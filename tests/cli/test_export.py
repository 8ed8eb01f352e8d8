"""`gamelog export`: formats, hidden information, and files that exist."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from tests.cli.conftest import Gamelog, forge
from tests.reports.payload import STAGE, page_data, unpack

SAMPLES = Path(__file__).parents[2] / "sample_games"
ANAS = "dominion"
PACKED = re.compile(r'<script type="application/octet-stream".*?</script>', re.DOTALL)
HIDDEN = 6
"""Event of the sample in which the separatists place a hidden tile."""


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "ana-rui.jsonl"
    path.write_bytes((SAMPLES / "zone_s/short.jsonl").read_bytes())
    return path


@pytest.mark.parametrize("form", ["svg", "txt", "json", "html"])
def test_an_anonymous_export_names_nobody(gamelog: Gamelog, secret: Path, form: str) -> None:
    for at in range(3) if form != "html" else [None]:
        given = [] if at is None else ["--at", at]
        assert gamelog("export", secret, "-o", "out", "--format", form, "--anonymous", *given).status == 0
        text = Path("out").read_text()
        if form == "html":
            text = f"{PACKED.sub('', text)} {unpack(text, STAGE)!r} {page_data(text)}"
        assert not [name for name in ("Ana", "Rui") if name in text]


def test_an_anonymous_export_leaves_out_text_by_people(gamelog: Gamelog, secret: Path) -> None:
    gamelog("note", secret, "Ana forgot her glasses")
    last = len(secret.read_bytes().splitlines()) - 1
    gamelog("export", secret, "-o", "out", "--format", "json", "--anonymous")
    told = json.loads(Path("out").read_text())
    assert (told["n"], told["event"]["text"], told["text"]) == (last, "…", "Note by the table: …")


def test_an_export_for_a_seat_has_no_hidden_information(gamelog: Gamelog, secret: Path) -> None:
    unseen = "Rui does something that is hidden from you."
    seat = ("--seat", "dominion", "--at", HIDDEN)
    gamelog("export", secret, "-o", "out", "--format", "json", *seat)
    told = json.loads(Path("out").read_text())
    assert (told["text"], told["event"]["do"]) == (unseen, "@unseen")
    gamelog("export", secret, "-o", "out", "--format", "svg", *seat)
    assert f"<title>{unseen}</title>" in Path("out").read_text()
    shown = gamelog("replay", secret, "--json", *seat).json[0]
    assert (shown["text"], shown["event"]["do"], "incident" in shown) == (unseen, "@unseen", False)
    assert unseen in gamelog("replay", secret, *seat).out
    gamelog("export", secret, "-o", "out", "--format", "json", "--seat", "separatists", "--at", HIDDEN)
    assert json.loads(Path("out").read_text())["text"] == "Rui places water on c5."


def test_export_overwrites_no_record(gamelog: Gamelog, secret: Path) -> None:
    before = secret.read_bytes()
    for form in ("html", "json"):
        refused = gamelog("export", secret, "-o", secret, "--format", form)
        assert refused.status == 2
        assert (
            refused.err
            == f"gamelog: {secret} contains records. Gamelog does not overwrite records; name another file.\n"
        )
    assert secret.read_bytes() == before
    assert gamelog("export", secret, "-o", "page.html").status == 0
    assert gamelog("export", secret, "-o", "page.html").status == 0  # a page is overwritten


@pytest.mark.parametrize("at", [-1, 33, 10**9])
def test_a_missing_event_has_no_position(gamelog: Gamelog, secret: Path, at: int) -> None:
    refused = gamelog("export", secret, "-o", "out", "--format", "svg", "--at", at)
    assert (refused.status, refused.err) == (
        2,
        f"gamelog: There is no position after event {at}. The last valid event is event 32.\n",
    )
    assert not Path("out").exists()


@pytest.mark.parametrize("game", ["dice_flags", "gp02a_territory", "slicewars", "zone_control", "zone_s"])
def test_every_game_has_every_format(gamelog: Gamelog, game: str) -> None:
    for form, begin in {"svg": "<svg", "txt": "", "json": '{"n":3,"event":{"do":'}.items():
        done = gamelog("export", SAMPLES / game / "short.jsonl", "-o", "out", "--format", form, "--at", 3)
        assert (done.status, done.out) == (0, "out\n")
        assert Path("out").read_text().startswith(begin)


def test_the_ending_of_the_file_decides_the_format(gamelog: Gamelog, game: Path) -> None:
    for name, begins in (
        ("x.svg", "<svg"),
        ("x.txt", "a1 "),
        ("x.JSON", "{"),
        ("x.html", "<!doctype html"),
        ("x", "<!doctype html"),
    ):
        assert gamelog("export", game, "-o", name).status == 0
        assert Path(name).read_text().lower().startswith(begins), name
    assert gamelog("export", game, "-o", "y.picture", "--format", "svg").status == 0
    assert Path("y.picture").read_text().startswith("<svg")
    assert gamelog("export", game, "-o", "z.svg", "--format", "svg", "--at", 1).status == 0
    done = gamelog("export", game, "-o", "no.svg", "--format", "html")
    assert (done.status, "--format is html, but no.svg has the ending of svg" in done.err) == (2, True)
    assert not Path("no.svg").exists()


def test_several_processes_write_the_same_site(gamelog: Gamelog) -> None:
    gamelog("simulate", "slicewars", "--games", 3, "-o", "club", "--option", "max_rounds=2")
    Path("club/bad.jsonl").write_text("rubbish")
    Path("club/gone.jsonl").symlink_to("nowhere.jsonl")
    sites = []
    for jobs in (1, 2):
        assert gamelog("export", "club", "-o", f"site{jobs}", "--jobs", jobs, "--title", "club").status == 0
        sites.append(
            {path.relative_to(f"site{jobs}"): path.read_bytes() for path in Path(f"site{jobs}").rglob("*.*")}
        )
    assert sites[0] == sites[1]
    assert sorted(path.parent.name for path in sites[0]) == ["", *["games"] * 4, *["shared"] * 6]


def test_pages_of_a_site_can_be_single_files(gamelog: Gamelog) -> None:
    gamelog("simulate", "slicewars", "--games", 2, "-o", "club", "--option", "max_rounds=2")
    assert gamelog("export", "club", "-o", "site", "--single").status == 0
    files = [path for path in Path("site").rglob("*") if path.is_file()]
    assert sorted(path.parent.name for path in files) == ["games", "games", "shared", "site"]
    policy = re.compile(
        r"script-src ('strict-dynamic' )?'sha256-"
    )  # the index loads the file of small boards
    assert all(policy.search(unescape(path.read_text())) for path in files if path.suffix == ".html")


def test_a_player_is_named_by_name_or_seat(gamelog: Gamelog, secret: Path) -> None:
    replays = {gamelog("replay", secret, "--at", HIDDEN, "--seat", who) for who in ("ana", "Ana", ANAS)}
    assert len(replays) == 1
    assert replays.pop().status == 0
    for who in ("ana", ANAS):
        assert gamelog("export", secret, "-o", f"{who}.json", "--seat", who).status == 0
    assert Path("ana.json").read_bytes() == Path(f"{ANAS}.json").read_bytes()
    for command in (["replay", secret], ["export", secret, "-o", "x.json"]):
        done = gamelog(*command, "--seat", "Lena")
        assert (done.status, done.err.count("Lena"), f"Ana ({ANAS})" in done.err) == (2, 1, True), done.err


@pytest.mark.parametrize("name", ["game.pdf", "game.PNG"])
def test_a_page_needs_the_ending_of_a_page(gamelog: Gamelog, game: Path, name: str) -> None:
    done = gamelog("export", game, "-o", name)
    assert (done.status, "game.html or game.svg" in done.err) == (2, True)
    assert not Path(name).exists()


def test_a_page_without_a_game_is_not_a_success(gamelog: Gamelog, game: Path) -> None:
    forge(game, '"game":"slicewars"', '"game":"chess"')
    done = gamelog("export", game, "-o", "page.html")
    assert (done.status, 'No game "chess" is installed' in done.err) == (1, True)
    assert Path("page.html").exists(), "the page shows the content of the record"
