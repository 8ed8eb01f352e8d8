"""What notebooks and files show of a record: boards and pages, drawn by `gamelog_reports` when asked for."""

from __future__ import annotations

from html import escape
from typing import Any

from gamelog.errors import BrokenGame
from gamelog.play.fold import game_errors
from gamelog.play.judging import replay as folding
from gamelog.play.view.record_view import RecordView
from gamelog.record.escaping import visible

HEIGHT = 720
"""Pixels of a page in a notebook."""


def board_svg(view: RecordView, n: int) -> str:
    """Return the board after event `n` as an SVG document. Raises `BrokenGame` if a game fails at it."""
    from gamelog_reports.board_svg import scene_svg

    try:
        scene = view.scene(n)
        title = view.sentence(n, visible) if n else ""
    except Exception as error:
        raise BrokenGame(f"{game_errors.failure_finding(error, view.game).message}.") from error
    return scene_svg(scene, seats=view.header.seat_ids, title=title)


def page_html(replayed: folding.FoldedRecord, **shown: Any) -> str:
    """The replay page, as `gamelog_reports.replay.page.replay_page` makes it."""
    from gamelog_reports.replay import page as pages

    return pages.replay_page(replayed, **shown)


def figure(view: RecordView, n: int) -> str:
    """Return the board after event `n` with its sentence below it."""
    caption = escape(f"{n}. {view.sentence(n)}")
    shown = f"{board_svg(view, n)}<figcaption>{caption}</figcaption>"
    return f'<figure style="max-width:32em;margin:0">{shown}</figure>'


def framed(html: str) -> str:
    """A whole page to stand within another: its scripts run, and reach nothing around it."""
    style = f"width:100%;height:{HEIGHT}px;border:0"
    return (
        f'<iframe sandbox="allow-scripts allow-downloads" style="{style}" srcdoc="{escape(html)}"></iframe>'
    )
