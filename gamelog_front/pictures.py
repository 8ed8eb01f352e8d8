"""Boards and pages for notebooks and files, drawn by `gamelog_reports`."""

from __future__ import annotations

from html import escape
from typing import Any

from gamelog.errors import BrokenGame
from gamelog.message import Message
from gamelog.play.fold import game_errors
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.view.record_view import RecordView
from gamelog.record.escaping import escape_invisible

_FRAME_HEIGHT = 720
"""Height of a page in a notebook, in pixels."""


def board_svg(view: RecordView, n: int) -> str:
    """Return the board after event `n` as an SVG document.

    Raises:
        BrokenGame: The game failed to draw or describe it.
    """
    from gamelog_reports.board_svg import scene_svg

    try:
        scene = view.scene(n)
        title = view.sentence(n, escape_invisible) if n else ""
    except Exception as error:
        failure = game_errors.failure_finding(error, view.game)
        raise BrokenGame(Message.of("{problem}.", problem=failure.message)) from error
    return scene_svg(scene, seats=view.game.all_seats, title=title)


def page_html(folded: FoldedRecord, **shown: Any) -> str:
    """Return the replay page of `gamelog_reports.replay_page.page.replay_page`."""
    from gamelog_reports.replay_page import page as pages

    return pages.replay_page(folded, **shown)


def figure_html(view: RecordView, n: int) -> str:
    """Return the board after event `n` with its sentence below it."""
    caption = escape(f"{n}. {view.sentence(n)}")
    shown = f"{board_svg(view, n)}<figcaption>{caption}</figcaption>"
    return f'<figure style="max-width:32em;margin:0">{shown}</figure>'


def frame_page(html: str) -> str:
    """Return a frame with the page `html`, whose scripts cannot reach the page around it."""
    style = f"width:100%;height:{_FRAME_HEIGHT}px;border:0"
    return (
        f'<iframe sandbox="allow-scripts allow-downloads" style="{style}" srcdoc="{escape(html)}"></iframe>'
    )
