"""A picture of a rating over time with its margin."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup, escape

from gamelog_reports.report.section import Figure

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 220, 48, 24
"""The size of the picture, and the room for its numbers, in CSS pixels."""

RatingPoint = tuple[str, float, float]
"""A day, the rating after its games, and the margin."""


def rating_figure(points: Sequence[RatingPoint], number: Callable[[float], str], caption: str) -> Figure:
    """Return the picture: a line for the rating, and a band for its margin. The points are evenly spaced.

    Args:
        points: The days in order, two or more.
        number: Returns a rating as text.
        caption: The caption.
    """
    low = min(rating - margin for _, rating, margin in points)
    high = max(rating + margin for _, rating, margin in points)
    width, height = _WIDTH - _LEFT - 8, _HEIGHT - _BOTTOM - 8

    def x(index: int) -> float:
        return _LEFT + width * index / (len(points) - 1)

    def y(rating: float) -> float:
        return 8 + height * (high - rating) / (high - low or 1)

    line = " ".join(f"{x(index):.1f},{y(rating):.1f}" for index, (_, rating, _) in enumerate(points))
    above = [f"{x(index):.1f},{y(rating + margin):.1f}" for index, (_, rating, margin) in enumerate(points)]
    below = [f"{x(index):.1f},{y(rating - margin):.1f}" for index, (_, rating, margin) in enumerate(points)]
    marks = Markup().join(
        Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>'
               '<text class="end" x="{}" y="{:.1f}">{}</text>').format(
            _LEFT, _WIDTH - 8, y(rating), y(rating), _LEFT - 6, y(rating) + 4, number(rating)
        )
        for rating in (low, 1500.0, high) if low <= rating <= high
    )  # fmt: skip
    dots = "".join(  # there are many, and Markup.format takes ten times as long
        f'<circle class="dot" cx="{x(index):.1f}" cy="{y(rating):.1f}" r="3">'
        f"<title>{escape(day)}: {number(rating)} ± {number(margin)}</title></circle>"
        for index, (day, rating, margin) in enumerate(points)
    )
    picture = Markup(
        '<svg class="plot" viewBox="0 0 {} {}" role="img" aria-label="{}">{}'
        '<polygon class="band" points="{}"/><polyline class="rating" points="{}"/>{}'
        '<text x="{}" y="{}">{}</text>'
        '<text class="end" x="{}" y="{}">{}</text></svg>'
    ).format(
        _WIDTH, _HEIGHT, caption, marks, " ".join([*above, *reversed(below)]), line, Markup(dots),
        _LEFT, _HEIGHT - 6, points[0][0], _WIDTH - 8, _HEIGHT - 6, points[-1][0],
    )  # fmt: skip
    return Figure(picture, caption)
