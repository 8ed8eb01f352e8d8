"""The replay page: one HTML file that shows a game event by event, offline, on any device."""

from __future__ import annotations

import msgspec

from gamelog.play.verify import Replay
from gamelog_reports.pages import shell, template
from gamelog_reports.replay import embed
from gamelog_reports.replay.privacy import Privacy
from gamelog_reports.replay.story import tell
from gamelog_reports.texts import spoken, texts

STYLES = ("base", "page", "board", "panels", "print")

NAME = 60
"""Characters of a name that a title shows."""


def page(replayed: Replay, *, seat: str | None = None, anonymous: bool = False, language: str = "en") -> str:
    """The page of `replayed`: whole, or with what `seat` sees, or with no names.

    It makes no request of any kind, runs from a file, and holds the record itself unless
    something is hidden. Whatever the record contains is shown as text.

    Its address takes ``#n=57`` (open at event 57) and ``?embed`` or ``#embed&n=57`` (the board
    alone, for a frame in another page). Scripts find ``gamelog.goto(n)``, ``gamelog.play()``,
    ``gamelog.pause()``, ``gamelog.n`` and ``gamelog.last``, and hear of every step by the event
    ``gamelog:step`` on the document, whose ``detail`` has ``n``, ``from`` and ``by``.

    Raises ValueError for a language there is none of and for a seat the record does not have.
    """
    words = texts(language)
    header = replayed.record.header
    if seat is not None and (header is None or seat not in header.seat_ids):
        raise ValueError(f'the record has no seat "{seat}"')
    privacy = Privacy(seat, anonymous)
    name = title(replayed, privacy)
    stage, story = tell(replayed, privacy, language)
    story |= {"title": name, "seat": seat, "anonymous": anonymous}
    known = msgspec.json.encode(stage)
    parts = shell("main", *STYLES)
    return template("replay").render(
        language=language,
        title=name,
        summary=_summary(replayed, privacy),
        status=replayed.status,
        seen_by=words["seen_by"].replace("{0}", _isolated(_person(replayed, seat, privacy))) if seat else "",
        t=words,
        spoken=spoken(language, parts["script"]),
        **parts,
        stage=embed.text(known),
        story=embed.text(msgspec.json.encode(story), known),
    )


def _person(replayed: Replay, seat: str, privacy: Privacy) -> str:
    header = replayed.record.header
    name = next((person.name for person in header.seats if person.seat == seat), "") if header else ""
    return privacy.name(seat, name)


def _isolated(name: str) -> str:
    """`name`, cut to a length for titles, and kept from changing the direction of what stands beside it."""
    return f"\u2068{name if len(name) <= NAME else name[: NAME - 1] + '…'}\u2069"


def title(replayed: Replay, privacy: Privacy) -> str:
    """The game and who plays it, names cut to a length."""
    header = replayed.record.header
    if header is None:
        return "Gamelog"
    people = " – ".join(_isolated(_person(replayed, seat, privacy)) for seat in header.seat_ids)
    return f"{replayed.fold.game.title if replayed.fold else _isolated(header.game)}: {people}"


def _summary(replayed: Replay, privacy: Privacy) -> str:
    """Date and tags in one line, for whoever shows a preview of the page."""
    header = replayed.record.header
    if header is None or privacy.anonymous:
        return ""
    return " · ".join([header.started[:10], *map(_isolated, list(header.tags.values())[:4])])
