"""`gamelog report`: pages, links and refusals."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from tests.cli.conftest import Gamelog

SAMPLES = Path(__file__).parents[2] / "sample_games"


def test_a_report_of_sample_games_links_to_their_pages(gamelog: Gamelog) -> None:
    records = Path("records")
    records.mkdir()
    for name in ("full-2", "illegal-turn"):
        (records / f"{name}.jsonl").write_bytes((SAMPLES / f"slicewars/{name}.jsonl").read_bytes())
    assert gamelog("index", records, "--archive", "a.db").status == 0
    assert gamelog("export", records, "-o", "site").status == 0
    done = gamelog("report", "--archive", "a.db", "-o", "site/report.html")
    assert (done.status, done.out) == (0, "site/report.html\n")
    html = Path("site/report.html").read_text()
    assert 'href="games/illegal-turn.html#n=26"' in html
    assert "SW-3" in html
    led = {part.split("#")[0] for part in re.findall('href="(games/[^"]*)"', html)}
    assert led == {"games/full-2.html", "games/illegal-turn.html"}
    assert all(Path("site", page).is_file() for page in led)
    assert gamelog("report", "--archive", "a.db", "-o", "elsewhere/r.html", "--site", "site").status == 0
    assert 'href="../site/games/illegal-turn.html#n=26"' in Path("elsewhere/r.html").read_text()


def test_a_report_that_is_not_possible_is_refused_in_one_sentence(gamelog: Gamelog, game: Path) -> None:
    missing = gamelog("report", "--archive", "none.db", "-o", "r.html")
    assert (missing.status, "There is no archive" in missing.err) == (2, True)
    assert gamelog("index", game, "--archive", "a.db").status == 0
    strange = gamelog("report", "--archive", "a.db", "-o", "r.html", "--game", "chess")
    assert (strange.status, "it has: slicewars" in strange.err) == (2, True)
    assert not Path("r.html").exists()
    Path("file").write_text("")
    assert gamelog("report", "--archive", "a.db", "-o", "file/r.html", "--game", "slicewars").status == 2


def test_the_tour_ends_with_pages_and_a_report_that_links_to_them(gamelog: Gamelog) -> None:
    done = gamelog("demo", "tour")
    assert done.status == 0 and "5. Write a report for printing: tour/site/report.html" in done.out
    assert re.search("^status +records\n(.*\n)*game +games +events +longest\n", done.out, re.MULTILINE), (
        "text for people, in a pipe too"
    )
    led = {
        part.split("#")[0]
        for part in re.findall('href="(games/[^"]*)"', Path("tour/site/report.html").read_text())
    }
    assert led and all(Path("tour/site", page).is_file() for page in led)
    assert "They share files, so copy the whole folder" in done.out and any(
        Path("tour/site/shared").iterdir()
    )


def test_site_and_report_link_to_each_other_in_any_order_and_have_titles(gamelog: Gamelog) -> None:
    record = SAMPLES / "slicewars/short.jsonl"
    Path("records").mkdir()
    Path("records/a.jsonl").write_bytes(record.read_bytes())
    gamelog("index", "records", "--archive", "a.db")
    for first in ("export", "report"):
        site = Path(f"{first} first")
        report = partial(
            gamelog, "report", "--archive", "a.db", "-o", site / "report.html", "--title", "Spring"
        )
        if first == "report":
            assert report().status == 0
        assert gamelog("export", "records", "-o", site, "--title", "Club & friends").status == 0
        assert ' href="report.html">' not in (site / "index.html").read_text() or first == "report"
        assert report().status == 0
        index = (site / "index.html").read_text()
        assert '<a id="report" href="report.html">' in index
        assert "<title>Club &amp; friends</title>" in index
        assert "<title>Spring</title>" in (site / "report.html").read_text()
        assert 'href="index.html"' in (site / "report.html").read_text()
    assert gamelog("export", record, "-o", "one.html", "--title", "The final").status == 0
    assert "<title>The final</title>" in Path("one.html").read_text()


def test_the_reasons_why_records_do_not_count_agree_with_their_number(gamelog: Gamelog, game: Path) -> None:
    assert gamelog("branch", game, "--at", 1, "-o", "one.jsonl").status == 0
    records = [game, "one.jsonl"]
    for others, words in (
        ([], "1 branch of a record in this archive"),
        (["two.jsonl"], "2 branches of a record in this archive"),
    ):
        for other in others:
            assert gamelog("branch", game, "--at", 2, "-o", other).status == 0
        assert gamelog("index", *records, *others, "--archive", "a.db").status == 0
        assert gamelog("report", "--archive", "a.db", "-o", "report.html").status == 0
        assert f"Not counted: {words}." in Path("report.html").read_text()
