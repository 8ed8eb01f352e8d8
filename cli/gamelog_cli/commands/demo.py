"""`gamelog demo`: a tour of Gamelog with the sample games that come with it."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from gamelog.errors import NotReadable
from gamelog.play.judging.verdict import Verdict
from gamelog.play.judging.verdict import validate as judge
from gamelog.record.discovery import find_records
from gamelog_cli.printing.language import text_of
from gamelog_cli.printing.output import print_line, print_table, progress_bar, save, with_progress
from gamelog_cli.printing.sites import print_site_warnings

_QUESTIONS = {
    "How many events has a game of each kind?": (
        "SELECT game, count(*) AS games, round(avg(events))::INT AS events, max(events) AS longest"
        " FROM games WHERE counted AND finished GROUP BY game ORDER BY game"
    ),
    "How do games end?": (
        "SELECT game, reason, count(*) AS games FROM games WHERE counted AND finished"
        " GROUP BY ALL ORDER BY game, games DESC, reason"
    ),
}


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Output folder for the archive and the pages.")
    ] = Path("demo_out"),
) -> None:
    """Judge the sample games, index them, query the archive, and write replay pages and a report."""
    from gamelog_reports.record_site import write_site
    from gamelog_reports.report.page import report

    from gamelog.archive import Reader, index

    samples = _samples()
    paths = list(find_records([samples]))
    folder.mkdir(parents=True, exist_ok=True)

    print_line(f"1. Judge {len(paths)} recorded games in {samples}: bytes, rules, results.")
    verdicts = [judge(path) for path in with_progress("judging", paths)]
    print_table(
        ("status", "records"), sorted(Counter(verdict.status for verdict in verdicts).items()), data=False
    )
    print_line("   Records with findings, each with its first finding:")
    for verdict in verdicts:
        if verdict.findings:
            print_line(f"   {_name(verdict, samples)}: {verdict.status}. {_first_finding(verdict)}")

    archive = folder / "archive.duckdb"
    done = index([samples], archive)
    print_line(
        f"\n2. Index them in {archive}. Different records: {done.records}. Counted (valid, and not a copy): "
        f"{done.counted}."
    )

    print_line("\n3. Query the archive:")
    with Reader(archive) as reader:
        for words, sql in _QUESTIONS.items():
            print_line(f"   {words}")
            answer = reader.ask(sql)
            print_table(answer.columns, answer.rows, data=False)

    with progress_bar("writing pages") as progress:
        site = write_site(samples, folder / "site", progress=progress)
    print_site_warnings(site)
    print_line(
        f"\n4. Write {site.pages} replay pages. They work offline. They share files, so copy the whole "
        "folder."
    )

    written = folder / "site" / "report.html"
    save(written, report(archive, site=folder / "site", home=folder / "site"))
    print_line(f"\n5. Write a report for printing: {written}")
    print_line(f"\nOpen {folder / 'site' / 'index.html'} in a browser.")
    print_line(f"To see what you can query, run: gamelog query --archive {archive} --list")


def _samples() -> Path:
    """Return the folder of the sample games, in the installed package or in a checkout."""
    for place in (
        Path(str(files("gamelog_cli"))) / "sample_games",
        Path(__file__).parents[3] / "sample_games",
    ):
        if place.is_dir():
            return place
    raise NotReadable("The sample games are not installed. To simulate games, run: gamelog simulate --help")


def _name(verdict: Verdict, samples: Path) -> str:
    return str(Path(verdict.path).relative_to(samples))


def _first_finding(verdict: Verdict) -> str:
    finding = verdict.findings[0]
    where = f"Event {finding.n}: " if finding.n else ""
    return f"{where}{text_of(finding.message)}{f' [{finding.rule}]' if finding.rule else ''}."
