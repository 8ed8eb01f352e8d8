"""Players as people type them: by name or by seat, in any case."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

from gamelog.message import Message, verbatim
from gamelog.play.view.session_view import SessionView
from gamelog.record.envelope import ARBITER, TABLE
from gamelog.record.names import name_key
from gamelog_cli.errors import Misread
from gamelog_cli.input.typed_members import has_prefix


class UnknownPlayer(Misread):
    """Typed text that names no player, or that several players match."""


_MAX_NAME_WORDS = 12
"""Maximum number of words in a name."""


def _plain_letters(name: str) -> str:
    """Return the letters and digits of `name` without accents, as typed on a keyboard without accents."""
    return "".join(
        _base_letter(char) for char in unicodedata.normalize("NFKD", name_key(name)) if char.isalnum()
    )


def _base_letter(char: str) -> str:
    """Return the base letter of `char`: ``l`` for ``ł``, which Unicode normalization keeps."""
    letter = unicodedata.name(char, "").partition(" WITH ")[0]
    if char.isascii() or not letter.startswith("LATIN"):
        return char
    try:
        return unicodedata.lookup(letter)
    except KeyError:  # the base letter does not exist as a character
        return char


def player_names(view: SessionView) -> Iterator[tuple[str, str]]:
    """Yield each name and seat id of the players in comparable form, with its seat."""
    for seat in view.header.seat_ids:
        for name in {name_key(seat), name_key(view.name_of(seat))}:
            yield name, seat


def first_player(view: SessionView, text: str, *, short: bool = False) -> tuple[str | None, str]:
    """Return the seat of the player whose name begins `text`, and the rest of `text`.

    The seat is None if `text` begins with no name. Longer names are tried first; exact spelling is tried
    before spelling without accents. If `short`, the first word may also be the beginning of a name.

    Raises:
        UnknownPlayer: Several players match.
    """
    words = text.split()
    for end in range(min(len(words), _MAX_NAME_WORDS), 0, -1):
        name = name_key(" ".join(words[:end]).rstrip(",:"))
        seats = [seat for known, seat in player_names(view) if known == name]
        exact = [seat for seat in seats if name_key(seat) == name]
        if len(seats) > 1 and not exact:
            raise UnknownPlayer(
                Message.of(
                    "{=name} sits at several seats: {=seats}. Name the seat.",
                    name=view.name_of(seats[0]),
                    seats=", ".join(seats),
                )
            )
        if seats:
            return (exact or seats)[0], " ".join(words[end:])
    for end in range(min(len(words), _MAX_NAME_WORDS), 0, -1):
        name = _plain_letters(" ".join(words[:end]))
        near = {seat for known, seat in player_names(view) if name and _plain_letters(known) == name}
        if len(near) == 1:
            return near.pop(), " ".join(words[end:])
    start = _plain_letters(words[0]) if short and words else ""
    matching_seats = sorted(
        {seat for known, seat in player_names(view) if start and has_prefix(_plain_letters(known), start)}
    )
    if len(matching_seats) > 1:
        people = ", ".join(f"{view.name_of(seat)} ({seat})" for seat in matching_seats)
        raise UnknownPlayer(
            Message.of(
                '"{=word}" matches several players: {=people}. Type more of the name.',
                word=words[0],
                people=people,
            )
        )
    return (matching_seats[0], " ".join(words[1:])) if matching_seats else (None, text.strip())


def person(name_of: Callable[[str], str], seat: str) -> str | Message:
    """Return the name of the person at `seat`, for a place ``{@…}`` of a message.

    A seat without a name is shown as it is typed; ``table`` and ``arbiter`` are translated.
    """
    return seat if seat in (TABLE, ARBITER) else verbatim(name_of(seat))


def seat_of(view: SessionView, text: str) -> str:
    """Return the seat (or ``table``, ``arbiter``) that `text` names, or `text` itself."""
    if name_key(text) in (TABLE, ARBITER):
        return name_key(text)
    seat, rest = first_player(view, text, short=True)
    return seat if seat and not rest else text


def seat_named(view: SessionView, text: str) -> str:
    """Return the seat of the player that `text` names.

    Raises:
        UnknownPlayer: No player has that name.
    """
    seat = seat_of(view, text)
    if seat not in view.header.seat_ids:
        raise UnknownPlayer(Message.of("{problem}.", problem=view.unknown_seat(text)))
    return seat


def is_seated(view: SessionView, seat: str, name: str, person: str | None) -> bool:
    """Return whether a person already sits at a seat.

    Args:
        view: The session of the record.
        seat: The seat. An unknown seat has no one.
        name: The name. Case and spaces make no difference.
        person: The id of the person, or None if any id will do.
    """
    now = next((person_there for person_there in view.people if person_there.seat == seat), None)
    return now is not None and name_key(name) == name_key(now.name or "") and person in (None, now.id)
