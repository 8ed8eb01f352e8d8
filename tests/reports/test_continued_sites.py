"""The journal of a stopped export."""

from __future__ import annotations

import gzip
from contextlib import suppress
from pathlib import Path

from gamelog_reports import site
from gamelog_reports.publishing import JOURNAL, publish_all
from gamelog_reports.site import page_links, page_names

from gamelog.play.contract.registry import find
from tests.cli.conftest import SAMPLES
from tests.table.alike import pairs, write


def stopped(files: list[Path], site: Path, *, anonymous: bool) -> str:
    """Return the journal of an export that was stopped after its last page."""
    names = page_names([file.name for file in files])
    links = page_links(files, names)
    pages = publish_all(files, names, links, site, 1, anonymous=anonymous, language="en", reveal=False)
    for _ in files:
        next(pages)
    text = ""
    with suppress(FileNotFoundError):
        text = gzip.decompress((site / JOURNAL).read_bytes()).decode()
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


def test_pages_of_records_of_one_game_and_board_share_a_file(tmp_path: Path) -> None:
    files = [
        SAMPLES / name for name in ("zone_s/full-2.jsonl", "zone_s/seeded.jsonl", "slicewars/full-2.jsonl")
    ]
    for file in files:
        site.publish(file, tmp_path, name=f"{file.parent.name}-{file.stem}.html")
    stages = [*(tmp_path / "shared").glob("stage-*.js")]
    assert len(stages) == 2
    pages = {page.stem: page.read_text() for page in (tmp_path / "games").iterdir()}
    used = {name: next(stage.name for stage in stages if stage.name in text) for name, text in pages.items()}
    assert used["zone_s-full-2"] == used["zone_s-seeded"] != used["slicewars-full-2"]
