"""Players as people name them: by name or by seat, in any case."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from gamelog.errors import BadSetup
from gamelog.play.fold.fold import Fold
from gamelog.record.envelope import ARBITER, TABLE
from gamelog.record.names import same_name
from gamelog_cli.typed_members import begins

_LONG = 12
"""Words that a name has at most."""


def _plain(name: str) -> str:
    """`name` in letters and digits alone, without accents: what people type who have none on their keys."""
    return "".join(
        _unmarked(char) for char in unicodedata.normalize("NFKD", same_name(name)) if char.isalnum()
    )


def _unmarked(char: str) -> str:
    """The letter that `char` is without its stroke: ``l`` of ``ł``, which Unicode does not take apart."""
    letter = unicodedata.name(char, "").partition(" WITH ")[0]
    if char.isascii() or not letter.startswith("LATIN"):
        return char
    try:
        return unicodedata.lookup(letter)
    except KeyError:  # some are named after a letter that does not exist alone
        return char


def known_as(fold: Fold) -> Iterator[tuple[str, str]]:
    """The names, as they are compared, that players of the record go by, each with its seat."""
    for seat in fold.header.seat_ids:
        for name in {same_name(seat), same_name(fold.session.name_of(seat))}:
            yield name, seat


def first_player(fold: Fold, text: str, *, short: bool = False) -> tuple[str | None, str]:
    """The seat of the player whose name `text` begins with (None: of none), and the rest of it. Longer names
    go first, names as they are written before names without their accents and signs, and last, where it may
    be `short`, the beginning of a name in one word.

    Raises `BadSetup` for a name that two players have, and for a beginning of several names.
    """
    words = text.split()
    for end in range(min(len(words), _LONG), 0, -1):
        name = same_name(" ".join(words[:end]).rstrip(",:"))
        seats = [seat for known, seat in known_as(fold) if known == name]
        exact = [seat for seat in seats if same_name(seat) == name]
        if len(seats) > 1 and not exact:
            raise BadSetup(f"{fold.session.name_of(seats[0])} sits at {' and '.join(seats)}: name the seat.")
        if seats:
            return (exact or seats)[0], " ".join(words[end:])
    for end in range(min(len(words), _LONG), 0, -1):
        name = _plain(" ".join(words[:end]))
        near = {seat for known, seat in known_as(fold) if name and _plain(known) == name}
        if len(near) == 1:
            return near.pop(), " ".join(words[end:])
    begun = _plain(words[0]) if short and words else ""
    meant = sorted({seat for known, seat in known_as(fold) if begun and begins(_plain(known), begun)})
    if len(meant) > 1:
        people = " or ".join(f"{fold.session.name_of(seat)} ({seat})" for seat in meant)
        raise BadSetup(f'"{words[0]}" may be {people}: write more of the name.')
    return (meant[0], " ".join(words[1:])) if meant else (None, text.strip())


def seat_of(fold: Fold, text: str) -> str:
    """The seat that `text` names, table and arbiter included; else `text`, for the judge to refuse."""
    if same_name(text) in (TABLE, ARBITER):
        return same_name(text)
    seat, rest = first_player(fold, text, short=True)
    return seat if seat and not rest else text


def seat_named(fold: Fold, text: str) -> str:
    """The seat whose player `text` names. Raises `BadSetup`, which says who sits where, for nobody's name."""
    seat = seat_of(fold, text)
    if seat not in fold.header.seat_ids:
        raise BadSetup(f"{fold.unknown_seat(text)}.")
    return seat


def sits_there(fold: Fold, seat: str, name: str, person: str | None) -> bool:
    """Whether the person named sits at `seat` already: the same name, and no id that says otherwise."""
    now = next((one for one in fold.session.seats if one.seat == seat), None)
    return now is not None and same_name(name) == same_name(now.name or "") and person in (None, now.id)
