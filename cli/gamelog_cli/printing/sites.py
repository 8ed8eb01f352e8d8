"""Warnings about a site that was written: everything that its pages leave out."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from gamelog.message import Message, many
from gamelog_cli.printing.output import print_first_warnings, print_warnings, warn

if TYPE_CHECKING:
    from gamelog_reports.record_site import WrittenSite


def print_site_warnings(site: WrittenSite) -> None:
    """Print the records that could not be read, notes, and everything that the pages leave out."""
    for pack, problems in site.unreadable.items():
        print_first_warnings(problems, command=f"gamelog validate {shlex.quote(str(pack))}")
    print_warnings(site.notes)
    if site.is_report_old:
        warn(Message.of("The report does not have the latest records. To renew it, add --report."))
    entries = site.entries
    print_first_warnings([*dict.fromkeys(entry.incompleteness for entry in entries if entry.incompleteness)])
    print_first_warnings([entry.ignored for entry in entries if entry.ignored])
    running = sum(bool(entry.withheld) and not entry.incompleteness for entry in entries)
    if running:
        print_warnings(
            [
                f"{many(running, 'game is', 'games are')} not over, so hidden information and seeds of dice "
                "are left out of their pages. To include them, add --reveal."
            ]
        )
    unknown = sum(bool(entry.withheld) and bool(entry.incompleteness) for entry in entries)
    if unknown:
        print_warnings(
            [
                f"{many(unknown, 'record')} could not be replayed, so their events, hidden information and "
                "seeds of dice are left out of their pages. To include them, add --reveal."
            ]
        )
