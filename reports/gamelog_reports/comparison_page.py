"""The comparison page: two score sheets of one game side by side, for reading and printing."""

from __future__ import annotations

from collections.abc import Sequence

from gamelog.dispute import MESSAGE_PACKAGE
from gamelog.dispute.alignment import Side
from gamelog.dispute.compare import Comparison
from gamelog.dispute.comparison_words import comparison_words
from gamelog.dispute.side_by_side import side_by_side
from gamelog.message import Renderer
from gamelog.play.contract import registry
from gamelog.play.contract.locales import load_locale
from gamelog.record.escaping import isolate
from gamelog.record.reading import Record
from gamelog_reports import bundle
from gamelog_reports.incident_sheet import sheet_policy
from gamelog_reports.report.wording import Wording
from gamelog_reports.templates import page_template, texts

_MAX_PAGE_LINES = 2_000
"""Maximum number of lines of both sheets on the page. Further differences are only counted."""


def comparison_page(
    a: Record,
    b: Record,
    compared: Comparison,
    merged: str = "",
    sides: Sequence[Side] = (),
    language: str = "en",
) -> str:
    """Return the page about the records `a` and `b`: all differences, with the events around them.

    The page has no script and loads nothing. Records of different games have no lines. The page leaves out
    what the comparison withholds.

    Args:
        a: The first record.
        b: The second record.
        compared: The comparison of `a` and `b`, with sentences in `language`.
        merged: The name of the new record, if the records were merged by choice.
        sides: The side that counts for each difference in the new record.
        language: The language of the page.

    Raises:
        ValueError: Pages do not have the language.
    """
    words = texts(language)
    game = registry.find(a.header.game, a.header.rules) if a.header else None
    renderer = Renderer(load_locale(language, game, MESSAGE_PACKAGE))
    lines = (
        []
        if compared.why
        else list(side_by_side(a, b, _MAX_PAGE_LINES, language, reveal=not compared.withheld))
    )
    shown = sum(line.kind is not None for line in lines)
    total = sum(
        1 if difference.kind in ("another", "in another order") else difference.length
        for difference in compared.differences
    )
    return page_template("comparison").render(
        policy=sheet_policy(),
        language=language,
        t=words,
        style=bundle.style("base", "sheet"),
        number=Wording(language).number,
        heading=renderer.locale.join([compared.a.path, compared.b.path]),
        words=[renderer.text(line, isolate) for line in comparison_words(compared, listed=False)],
        a=compared.a,
        b=compared.b,
        lines=lines,
        merged=merged,
        chosen=[getattr(compared, side).path for side in sides],
        more=total + compared.unlisted > shown and len(lines) >= _MAX_PAGE_LINES,
    )
