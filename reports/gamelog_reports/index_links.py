"""The links between the index of a site and its report."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote

from gamelog.record.atomic_files import write_atomically

_REPORT = re.compile(r'(<a id="report")(?: href="([^"<>]*)")?>')
"""The link from an index to a report. Without an address there is no report yet."""


def link_report(site: str | os.PathLike[str], report: str | os.PathLike[str]) -> bool:
    """Link the index of `site` to the page `report`. Return False if `site` has no index made by Gamelog."""
    target = Path(site) / "index.html"
    if not target.is_file():
        return False
    html = target.read_text(encoding="utf-8", errors="surrogateescape")
    href = quote(Path(os.path.relpath(report, site)).as_posix())
    linked, count = _REPORT.subn(lambda match: f'{match[1]} href="{href}">', html, count=1)
    if count:
        write_atomically(target, linked.encode(errors="surrogateescape"))
    return bool(count)


def report_address(target: Path) -> str:
    """Return the address of the report to which the index `target` leads, or an empty string."""
    before = (
        _REPORT.search(target.read_text(encoding="utf-8", errors="replace")) if target.is_file() else None
    )
    href = before[2] if before and before[2] else "report.html"
    return href if (target.parent / unquote(href)).is_file() else ""


def index_address(site: Path, home: Path) -> str:
    """Return the address of the index of `site`, as seen from the folder `home`, or an empty string."""
    if (site / "index.html").is_file():
        return quote(Path(os.path.relpath(site / "index.html", home)).as_posix())
    return ""
