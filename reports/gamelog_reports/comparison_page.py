"""Two score sheets of one game side by side, as a page to read and print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from gamelog.dispute.alignment import Choice, Kind
from gamelog.dispute.compare import Comparison
from gamelog.dispute.comparison_words import comparison_words
from gamelog.dispute.side_by_side import side_by_side
from gamelog.record.reading import Record
from gamelog_reports import bundle
from gamelog_reports.templates import page_template

MAX_PAGE_LINES = 2_000
"""Lines of both sheets that the page shows; what is beyond is counted."""


def comparison_page(
    a: Record, b: Record, compared: Comparison, merged: str = "", sides: Sequence[Choice] = ()
) -> str:
    """`compared` as a page: how far `a` and `b` agree, and every difference with what stands around it.

    If they were merged by choice, `merged` is the new record, and `sides` has the side that counts for each
    difference.

    Nothing in it runs, and nothing is loaded. Two records that are not of one game have no lines.
    """
    style = bundle.style("base", "sheet")
    lines = [] if compared.why else list(side_by_side(a, b, MAX_PAGE_LINES))
    shown = sum(line.kind is not None for line in lines)
    total = sum(
        1 if one.kind in ("another", "in another order") else one.length for one in compared.differences
    )
    return page_template("comparison").render(
        policy=f"default-src 'none'; style-src '{bundle.csp_digest(style)}'; img-src data:; base-uri "
        "'none'; form-action 'none'",
        style=style,
        heading=f"{compared.a.path} and {compared.b.path}",
        words=list(map(str, comparison_words(compared, listed=False))),
        names={kind: _name(kind, compared) for kind in get_args(Kind)},
        a=compared.a,
        b=compared.b,
        lines=lines,
        merged=merged,
        chosen=[getattr(compared, side).path for side in sides],
        more=total + compared.unlisted > shown and len(lines) >= MAX_PAGE_LINES,
    )


def _name(kind: Kind, compared: Comparison) -> str:
    """How a line differs, with the files in the place of a and b."""
    what, _, side = kind.rpartition(" in ")
    if side in ("a", "b"):
        return f"{what} in {getattr(compared, side).path}"
    return "says something else" if kind == "another" else kind
