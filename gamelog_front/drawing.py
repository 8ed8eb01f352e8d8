"""Pictures and pages of a replay, as text or as files."""

from __future__ import annotations

import os
from typing import Any, Literal

from gamelog.errors import Exists, WriteFailed
from gamelog.play.anonymity.anonymous_record import anonymous_replay
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.atomic_files import looks_like_record, write_atomically
from gamelog_front import pictures
from gamelog_front.replay import Replay, folded_record_of


def svg(game: Replay[Any, Any], n: int | None = None, *, seat: str | None = None) -> str:
    """Return the board after event `n` as an SVG document, as `seat` sees it.

    By default `n` is the last event; 0 is the start.

    Raises:
        IndexError: Event `n` has no step.
        ValueError: The record has no steps, or no such seat.

    >>> evening = gamelog.read("sample_games/slicewars/short.jsonl")
    >>> gamelog.svg(evening, 2)[:4]
    '<svg'
    """
    fold = folded_record_of(game).fold
    if fold is None:
        raise ValueError(f"the record has no board to show: {game.findings[0].message}")
    if seat is not None and seat not in fold.header.seat_ids:
        raise ValueError(f'the record has no seat "{seat}"')
    if n is not None and n != 0:
        n = game[n].n
    return pictures.board_svg(RecordView(fold, Viewer.of(seat)), fold.n if n is None else n)


def html(
    game: Replay[Any, Any],
    path: str | os.PathLike[str] | None = None,
    *,
    seat: str | None = None,
    anonymous: bool = False,
    language: Literal["en", "pt"] = "en",
    title: str = "",
) -> str:
    """Return the replay page, an HTML document that shows the game event by event, without a network.

    If you add ``#n=42`` to the address of the page, it shows event 42.

    Args:
        game: The game to show.
        path: The file to write the page to as well, or None. An existing file is replaced, unless it is a
            record.
        seat: The seat whose knowledge limits the page, or None for everything.
        anonymous: Whether names, dates and texts by people are left out.
        language: The language of the page.
        title: The title, instead of the names of the game and the people; empty for these names.

    Raises:
        ValueError: There is no such seat or language.
        gamelog.GamelogError: The file cannot be written.

    >>> page = gamelog.html(gamelog.read("sample_games/slicewars/short.jsonl"), "short.html")
    >>> page[:15]
    '<!doctype html>'
    """
    folded = anonymous_replay(folded_record_of(game)) if anonymous else folded_record_of(game)
    page = pictures.page_html(folded, seat=seat, language=language, heading=title)
    if path is not None:
        try:
            if looks_like_record(path):
                raise Exists(f"{path} holds records, and nothing is written over them; name another file.")
        except OSError as error:
            raise WriteFailed(
                f"Cannot write {path}: {error.strerror}. Check the folder and your access to "
                "it, then try again."
            ) from None
        write_atomically(path, page.encode())
    return page
