"""Forms for events: the members of an event and their possible values, from the event's type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import NODEFAULT, Struct, inspect

from gamelog.play.fold import common_events
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import ARBITER, STAMP_FIELDS, TABLE, Event, tag_of
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import permission_refusal

WITHOUT_FORM = (
    common_events.Accept,
    common_events.Decline,
    common_events.Withdraw,
    common_events.Recovered,
)
"""Common events without a form: answers have buttons beside the offer, withdrawals beside the claim, and only
a command recovers.
"""

_BY_SEATS = (
    common_events.Claim,
    common_events.Agree,
    common_events.Resign,
    common_events.Reveal,
    common_events.Sign,
)
"""Common events that only a seat records."""

_OBSOLETE = frozenset({"time"})
"""Members and kinds of common events that only older records have."""


class Member(Struct, frozen=True, omit_defaults=True):
    """A member of an event.

    ``kind`` is one of these kinds of values:

    - ``text``, ``flag``, ``data`` (anything)
    - ``number`` between ``least`` and ``most``, ``choice`` of ``values``, ``event`` (its number)
    - ``seat``, ``seats`` (several), ``texts`` (several, in order)
    - ``each_seat`` and ``each``: a value ``of`` a kind for every seat, or for every name
    - ``places`` (seats in groups, the first in front), ``teams`` (seats in groups by name)
    - ``clocks`` (the time of each clock), ``play`` (an event of the game), ``position`` (a declared state)
    - ``group`` with ``members``

    ``needed``: the event is not complete without the member.
    """

    name: str
    kind: str
    needed: bool = False
    values: tuple[str | int, ...] = ()
    least: int | None = None
    most: int | None = None
    members: tuple[Member, ...] = ()
    of: Member | None = None


class Form(Struct, frozen=True):
    """An event that can be recorded, and its possible authors."""

    do: str
    by: tuple[str, ...]
    members: tuple[Member, ...] = ()


def common_forms(view: RecordView, grant: Grant) -> list[Form]:
    """Return the common events that the link of `grant` can record in any position."""
    seats, forms = view.header.seat_ids, list[Form]()
    for kind in common_events.EVENTS:
        if kind in WITHOUT_FORM or (kind is common_events.Reveal and view.revealed_links is None):
            continue
        agreed = kind is common_events.Takeback and view.header.takebacks == "agreed"
        who = seats if agreed or kind in _BY_SEATS else (TABLE,)
        by = {"seat": (grant.seat,), "arbiter": (ARBITER,)}.get(grant.role, who)
        if permission_refusal(grant, {"do": tag_of(kind), "by": by[0]}, view) is None:
            forms.append(Form(tag_of(kind), by, tuple(_members(kind, seats))))
    return forms


def game_forms(view: RecordView, grant: Grant) -> list[Form]:
    """Return the game's own decisions, with the possible authors for the link."""
    seats = view.header.seat_ids
    by = (grant.seat,) if grant.role == "seat" else (*seats, TABLE)
    kinds = [kind for kind in view.game.events if kind not in view.game.chance_events]
    return (
        [Form(tag_of(kind), by, tuple(_members(kind, seats))) for kind in kinds]
        if grant.role in ("scorer", "seat")
        else []
    )


def roll_forms(view: RecordView, grant: Grant) -> list[Form]:
    """Return the game's rolls and draws, which a claim can name as the event that should have happened."""
    seats = view.header.seat_ids
    by = (grant.seat, TABLE) if grant.role == "seat" else (*seats, TABLE)
    return (
        [Form(tag_of(kind), by, tuple(_members(kind, seats))) for kind in view.game.chance_events]
        if grant.role in ("scorer", "seat")
        else []
    )


def _members(kind: type[Struct], seats: tuple[str, ...]) -> Iterator[Member]:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    own = issubclass(kind, Event) and kind not in common_events.COMMON
    for field in described.fields:
        older = not own and field.name in _OBSOLETE
        if not (issubclass(kind, Event) and field.name in STAMP_FIELDS) and not older:
            needed = field.default is NODEFAULT and field.default_factory is NODEFAULT
            yield _member(field.encode_name, field.type, seats, needed=needed, own=own)


def _member(
    name: str, type_: inspect.Type, seats: tuple[str, ...], *, needed: bool = False, own: bool = False
) -> Member:
    """Return the member `name`. Texts of a common event name seats, of a game's `own` event anything."""

    def made(kind: str, **more: Any) -> Member:
        return Member(name, kind, needed, **more)

    match type_:
        case inspect.UnionType(types=types):
            known = [member_type for member_type in types if not isinstance(member_type, inspect.NoneType)]
            return _member(name, known[0], seats, needed=needed, own=own)
        case inspect.Metadata(type=inner):
            return _member(name, inner, seats, needed=needed, own=own)
        case inspect.BoolType():
            return made("flag")
        case inspect.LiteralType(values=values):
            return made("choice", values=tuple(value for value in values if own or value not in _OBSOLETE))
        case inspect.IntType() if name in ("about", "to"):
            return made("event", least=type_.ge)
        case inspect.IntType() | inspect.FloatType():
            return made("number", least=type_.ge, most=type_.le)
        case inspect.StrType():
            return made("seat" if name == "seat" else "text")
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            held = _member("", item, seats, own=own)
            several = {"text": "seats", "seats": "places"}.get(held.kind, "data")
            return made("texts", of=held) if own else made(several)
        case inspect.StructType(cls=cls):
            return made("group", members=tuple(_members(cls, seats)))
        case inspect.DictType() if not own and name == "clock":
            return made("clocks")
        case inspect.DictType(value_type=value) if not isinstance(value, inspect.AnyType):
            held = _member("", value, seats, own=own)
            if held.kind == "seats":
                return made("teams")
            return made("each" if own or held.kind == "text" else "each_seat", of=held)
        case inspect.DictType() if not own and name in ("intended", "state"):
            return made("play" if name == "intended" else "position")
        case _:
            return made("data")
