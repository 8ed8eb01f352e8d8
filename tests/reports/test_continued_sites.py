"""The journal of a stopped export."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from gamelog_reports.publishing import publish_all
from gamelog_reports.site import page_links, page_names

from gamelog.play.contract.registry import find
from tests.cli.conftest import SAMPLES
from tests.table.alike import pairs, write

JOURNAL = ".gamelog-pages.jsonl"


def stopped(files: list[Path], site: Path, *, anonymous: bool) -> str:
    """Return the journal of an export that was stopped after its last page."""
    names = page_names([file.name for file in files])
    links = page_links(files, names)
    pages = publish_all(files, names, links, site, 1, anonymous=anonymous, language="en", reveal=False)
    for _ in files:
        next(pages)
    text = ""
    with suppress(FileNotFoundError):
        text = (site / JOURNAL).read_text()
    return text


def test_a_stopped_export_has_no_digest_of_a_record_of_which_its_page_leaves_something_out(
    tmp_path: Path,
) -> None:
    _, header, events, _ = next(pairs(find("zone_s"), 1))
    whole, hidden = tmp_path / "whole.jsonl", tmp_path / "hidden.jsonl"
    whole.write_bytes(next(iter(sorted(SAMPLES.glob("slicewars/*.jsonl")))).read_bytes())
    write(hidden, header, events)
    journal = stopped([whole, hidden], tmp_path / "site", anonymous=False)
    assert "games/whole.html" in journal
    assert "games/hidden.html" not in journal
    assert stopped([whole, hidden], tmp_path / "anonymous", anonymous=True) == ""
