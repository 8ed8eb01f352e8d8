"""What the server says to people, in the language that their page asks for;
to programs, which ask for none, in English.
"""

from __future__ import annotations

from gamelog_reports.texts import LANGUAGES
from starlette.requests import HTTPConnection

from gamelog.play.fold.fold import Fold
from gamelog.play.telling.translator import translator

HOME = "gamelog_table"


def language_of(request: HTTPConnection) -> str:
    """The language that the browser asks for first of those that pages speak."""
    asked = request.query_params.get("lang") or request.headers.get("accept-language", "")
    words = [part.partition(";")[0].strip().lower()[:2] for part in asked.split(",")]
    return next((word for word in words if word in LANGUAGES), "en")


def spoken(text: str, language: str, fold: Fold | None = None) -> str:
    """`text`, a sentence of the server's or of the judge of `fold`, in `language`;
    as it is where nobody has translated it.
    """
    people = frozenset(seat.name for seat in fold.session.seats if seat.name) if fold else frozenset()
    try:
        told = translator(fold.game if fold else None, language, HOME)
    except Exception:  # somebody's game fails at its own words: the answer is more than these
        told = translator(None, language, HOME)
    return told.remark(text, people)
