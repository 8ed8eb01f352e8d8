"""`gamelog export` with analyses: which file it takes, and what it says about a file that it cannot take."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from gamelog_reports.publishing import publish_all
from gamelog_reports.site import page_links

from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.cli.conftest import Gamelog, sample_copy
from tests.cli.terminal import PROGRAM
from tests.reports.analyses import made_analysis, written

SHOWN = '<details id="chances"'


def analysed(name: str, *turning: int) -> Path:
    """Return a copy of a sample game, with an analysis beside it."""
    record = sample_copy(name)
    written(made_analysis(fold_record(read_record(record)), turning), record.with_suffix(".analysis.json"))
    return record


def test_the_analysis_beside_a_record_is_shown(gamelog: Gamelog) -> None:
    record = analysed("slicewars/full-2.jsonl", 2)
    done = gamelog("export", record, "-o", "game.html")
    assert (done.status, done.err) == (0, "")
    assert SHOWN in Path("game.html").read_text()
    record.with_suffix(".analysis.json").rename("elsewhere.json")
    assert gamelog("export", record, "-o", "plain.html").status == 0
    assert SHOWN not in Path("plain.html").read_text()
    assert gamelog("export", record, "-o", "named.html", "--analysis", "elsewhere.json").status == 0
    assert Path("named.html").read_text() == Path("game.html").read_text()


def test_after_another_event_the_analysis_is_left_out_with_a_warning_or_refused_if_named(
    gamelog: Gamelog,
) -> None:
    record = analysed("slicewars/full-2.jsonl", 2)
    assert gamelog("note", record, "Well played.").status == 0
    done = gamelog("export", record, "-o", "game.html")
    assert done.status == 0
    assert "the record has changed since. To analyse it again, run: gamelog analyse" in done.err
    assert SHOWN not in Path("game.html").read_text()
    named = gamelog("export", record, "-o", "named.html", "--analysis", record.with_suffix(".analysis.json"))
    assert named.status == 2
    assert "the record has changed since" in named.err
    assert not Path("named.html").exists()
    in_portuguese = gamelog("export", record, "-o", "pt.html", "--language", "pt")
    assert "o registo mudou desde então. Para o analisar de novo" in in_portuguese.err


def test_a_running_game_shows_no_analysis(gamelog: Gamelog) -> None:
    record = analysed("zone_s/full-2.jsonl")
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:20]))
    done = gamelog("export", record, "-o", "game.html")
    assert done.status == 0
    assert "is not over" in done.err
    assert SHOWN not in Path("game.html").read_text()


def test_a_seat_that_may_not_see_everything_gets_no_chances(gamelog: Gamelog) -> None:
    record = analysed("zone_s/full-2.jsonl", 81)
    done = gamelog("export", record, "-o", "game.html", "--seat", "Ana")
    assert done.status == 0
    assert "is not shown, because it follows from what is hidden from dominion" in done.err
    assert SHOWN not in Path("game.html").read_text()
    file = record.with_suffix(".analysis.json")
    assert gamelog("export", record, "-o", "named.html", "--seat", "Ana", "--analysis", file).status == 2


def test_an_anonymous_page_has_the_analysis_of_its_record(gamelog: Gamelog) -> None:
    record = analysed("slicewars/full-2.jsonl", 2)
    assert gamelog("export", record, "-o", "game.html", "--anonymous").status == 0
    html = Path("game.html").read_text()
    assert SHOWN in html
    assert not re.search(r"\b(?:Ana|Rui|Omar)\b", html)


@pytest.mark.parametrize("arguments", [("records", "-o", "site"), ("records/a.jsonl", "-o", "a.svg")])
def test_a_file_can_be_named_only_for_one_page(gamelog: Gamelog, arguments: tuple[str, ...]) -> None:
    Path("records").mkdir()
    analysed("slicewars/full-2.jsonl").rename("records/a.jsonl")
    done = gamelog("export", *arguments, "--analysis", "slicewars-full-2.analysis.json")
    assert done.status == 2
    assert "--analysis works only with" in done.err


def test_standard_input_has_no_file_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-.analysis.json").write_text("{}")
    record = sample_copy("slicewars/short.jsonl")
    given = [PROGRAM, "export", "-", "-o", "game.html"]
    done = subprocess.run(given, input=record.read_bytes(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_site_shows_the_analyses_beside_its_records(gamelog: Gamelog) -> None:
    folder = Path("records")
    folder.mkdir()
    for name in ("full-2", "full-3"):
        record = analysed(f"slicewars/{name}.jsonl", 2)
        for file in (record, record.with_suffix(".analysis.json")):
            file.rename(folder / file.name)
    done = gamelog("export", folder, "-o", "site")
    assert (done.status, done.err) == (0, "")
    page = Path("site/games/slicewars-full-2.html")
    assert SHOWN in page.read_text()
    scripts = re.findall(r"\.\./(shared/[\w.-]+)", page.read_text())
    assert len(scripts) >= 3 and all((Path("site") / name).is_file() for name in scripts)

    text = (folder / "slicewars-full-3.analysis.json").read_text()
    (folder / "slicewars-full-2.analysis.json").write_text(text)
    again = gamelog("export", folder, "-o", "site")
    assert again.status == 0
    assert "it is the analysis of another record" in again.err
    assert SHOWN not in page.read_text()
    assert SHOWN in Path("site/games/slicewars-full-3.html").read_text()


def test_a_record_in_a_pack_has_no_analysis_beside_it(gamelog: Gamelog) -> None:
    folder = Path("records")
    folder.mkdir()
    analysed("slicewars/full-2.jsonl", 2).rename(folder / "slicewars-full-2.jsonl")
    assert gamelog("pack", folder, "-o", "games.parquet").status == 0
    done = gamelog("export", "games.parquet", "-o", "site")
    assert done.status == 0, done.err
    assert SHOWN not in Path("site/games/slicewars-full-2.html").read_text()
    assert gamelog("export", folder / "slicewars-full-2.jsonl", "-o", "game.html").status == 0


def test_a_page_of_a_league_is_made_again_when_its_analysis_changes(tmp_path: Path) -> None:
    record = tmp_path / "a.jsonl"
    record.write_bytes(Path(__file__).parents[2].joinpath("sample_games/slicewars/full-2.jsonl").read_bytes())
    beside, page = tmp_path / "a.analysis.json", tmp_path / "site/games/a.html"

    def publish() -> bool:
        names = ["a.html"]
        links = page_links([record], names)
        entries = publish_all(
            [record], names, links, tmp_path / "site", 1, anonymous=False, language="en", keep_journal=True
        )
        assert [entry.ignored for entry in entries] == [""]
        return SHOWN in page.read_text()

    assert not publish()
    written(made_analysis(fold_record(read_record(record)), (2,)), beside)
    assert publish()
    first = page.stat().st_mtime_ns
    assert publish()
    assert page.stat().st_mtime_ns == first, "the same page is not written again"
    beside.unlink()
    assert not publish()
