"""Pictures and pages of a replay, as text or as files."""

from __future__ import annotations

import os
from typing import Any, Literal

from gamelog.errors import Exists, WriteFailed
from gamelog.front import pictures
from gamelog.front.replay import Replay
from gamelog.play.view.record_view import RecordView
from gamelog.play.view.viewer import Viewer
from gamelog.record.atomic_files import holds_record, write_atomically


def svg(game: Replay[Any, Any], n: int | None = None, *, seat: str | None = None) -> str:
    """The board after event `n` (the last; 0 is the start) as an SVG document that stands alone, as `seat`
    sees it.

    Raises IndexError for an event without a step, ValueError for a record without any and for a seat that it
    does not have.

    >>> evening = gamelog.read("sample_games/slicewars/short.jsonl")
    >>> gamelog.svg(evening, 2)[:4]
    '<svg'
    """
    fold = game._replayed.fold
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
    """The replay page: one HTML document that shows the game event by event, without a network; with `path`,
    written there too.

    The page holds what `seat` may see, or all; `anonymous` leaves names out; `title` stands in place of game
    and people. Opened with ``#n=42`` behind its address, it shows event 42. A file at `path` is replaced, a
    record never. Raises ValueError for a seat or language there is none of, `gamelog.GamelogError` where
    nothing can be written.

    >>> page = gamelog.html(gamelog.read("sample_games/slicewars/short.jsonl"), "short.html")
    >>> page[:15]
    '<!doctype html>'
    """
    page = pictures.page_html(
        game._replayed, seat=seat, anonymous=anonymous, language=language, heading=title
    )
    if path is not None:
        try:
            if holds_record(path):
                raise Exists(f"{path} holds records, and nothing is written over them; name another file.")
        except OSError as error:
            raise WriteFailed(f"Cannot write {path}: {error.strerror}.") from None
        write_atomically(path, page.encode())
    return page
