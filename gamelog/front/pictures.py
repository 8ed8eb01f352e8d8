"""What notebooks and files show of a record: boards and pages, drawn by `gamelog_reports` when asked for."""

from __future__ import annotations

from html import escape
from typing import Any

from gamelog.errors import BrokenGame
from gamelog.play.contract.scene import Scene
from gamelog.play.fold import blame
from gamelog.play.fold.fold import Fold
from gamelog.play.judging import replay as folding

HEIGHT = 720
"""Pixels of a page in a notebook."""


def board_svg(fold: Fold, n: int, seat: str | None = None) -> str:
    """The board after event `n` as an SVG document, as `seat` sees it.
    Raises `BrokenGame` where somebody's game fails at it.
    """
    from gamelog_reports.board_svg import scene_svg
    from gamelog_reports.replay.privacy import Privacy

    from gamelog.play.telling.events import effects_of

    try:
        scene: Scene = fold.game.scene(fold.game.observe(fold.states[n], seat), seat)
        event = fold.events[n - 1] if n else None
        title = Privacy(seat).sentence(fold, event, effects_of(fold, event)) if event else ""
    except Exception as error:
        raise BrokenGame(f"{blame.finding(error, fold.game).message}.") from error
    return scene_svg(scene, seats=fold.header.seat_ids, title=title)


def page_html(replayed: folding.FoldedRecord, **shown: Any) -> str:
    """The replay page, as `gamelog_reports.replay.page.replay_page` makes it."""
    from gamelog_reports.replay import page as pages

    return pages.replay_page(replayed, **shown)


def figure(fold: Fold, n: int) -> str:
    """The board after event `n` with its sentence below it."""
    from gamelog.play.telling.events import describe_event

    caption = escape(f"{n}. {describe_event(fold, fold.events[n - 1])}")
    shown = f"{board_svg(fold, n)}<figcaption>{caption}</figcaption>"
    return f'<figure style="max-width:32em;margin:0">{shown}</figure>'


def framed(html: str) -> str:
    """A whole page to stand within another: its scripts run, and reach nothing around it."""
    style = f"width:100%;height:{HEIGHT}px;border:0"
    return (
        f'<iframe sandbox="allow-scripts allow-downloads" style="{style}" srcdoc="{escape(html)}"></iframe>'
    )
