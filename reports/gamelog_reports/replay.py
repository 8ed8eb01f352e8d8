"""The replay page: one HTML file that shows a game event by event, offline, on any device."""

from __future__ import annotations

from functools import cache

import jinja2
import msgspec

from gamelog.play.verify import Replay
from gamelog_reports import bundle, embed
from gamelog_reports.privacy import Privacy
from gamelog_reports.story import tell
from gamelog_reports.texts import texts

STYLES = ("page", "board", "panels", "print")


def page(replayed: Replay, *, seat: str | None = None, anonymous: bool = False, language: str = "en") -> str:
    """The page of `replayed`: whole, or with what `seat` sees, or with no names.

    It makes no request of any kind, runs from a file, and holds the record itself unless
    something is hidden. Whatever the record contains is shown as text. Raises ValueError for a
    language there is none of and for a seat the record does not have.
    """
    words = texts(language)
    header = replayed.record.header
    if seat is not None and (header is None or seat not in header.seat_ids):
        raise ValueError(f'the record has no seat "{seat}"')
    privacy = Privacy(seat, anonymous)
    title = _title(replayed, privacy)
    story = tell(replayed, privacy) | {"title": title, "texts": words, "seat": seat, "anonymous": anonymous}
    script, style = bundle.script("main"), bundle.style(*STYLES)
    return _template().render(
        language=language,
        title=title,
        t=words,
        script=script,
        style=style,
        script_digest=bundle.digest(script),
        style_digest=bundle.digest(style),
        story=embed.text(msgspec.json.encode(story)),
    )


def _title(replayed: Replay, privacy: Privacy) -> str:
    header = replayed.record.header
    if header is None:
        return "Gamelog"
    people = " – ".join(privacy.name(seat.seat, seat.name) for seat in header.seats)
    game = replayed.fold.game.title if replayed.fold else header.game
    return f"{game}: {people}"


@cache
def _template() -> jinja2.Template:
    loader = jinja2.PackageLoader("gamelog_reports")
    made = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return made.get_template("replay.html.j2")
