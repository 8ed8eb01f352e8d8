"""Who sits where, and who sat there before: said to whoever names somebody without a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamelog.play.fold.common import Substitute
from gamelog.record.names import same_name

if TYPE_CHECKING:
    from gamelog.play.fold.history import History


def seated(fold: History) -> str:
    """The seats, each with who sits there now."""
    names = ((seat, fold.session.name_of(seat)) for seat in fold.header.seat_ids)
    return ", ".join(seat if name == seat else f"{name} ({seat})" for seat, name in names)


def no_seat(fold: History, text: str) -> str:
    """That nobody whom `text` names has a seat, who has, and who sits where one of that name sat."""
    earlier = [(seat.seat, seat.name) for seat in fold.header.seats]
    earlier += [(event.seat, event.name) for event in fold.events if isinstance(event, Substitute)]
    left = next((seat for seat, name in reversed(earlier) if same_name(name or "") == same_name(text)), None)
    if left:
        return (
            f"{text} sits at {left} no longer: {fold.session.name_of(left)} does; the seats are "
            f"{seated(fold)}"
        )
    return f'"{text}" has no seat in this game; the seats are {seated(fold)}'
