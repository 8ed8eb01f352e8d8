"""Connect Four, rules 1.1: rules 1.0 and the pie rule, by which the second player may take over the first disc."""

from dataclasses import replace
from importlib.resources import files

from msgspec import structs

from gamelog import game

from . import v1_0
from .v1_0 import Drop, State

OLD: game.AnyGame = v1_0.GAME


class Swap(game.Event, frozen=True, tag="swap"):
    """The second player makes the first disc their own."""


def check(state: State, event: Drop | Swap) -> game.Violation | None:
    if isinstance(event, Drop):
        return v1_0.check(state, event)
    if state.discs.bit_count() == 1 and state.actor == 1 and event.by == state.setup.seats[1]:
        return None
    return game.forbids("CF-5", "only the second player may swap, instead of their first move")


def apply(state: State, event: Drop | Swap) -> State:
    if isinstance(event, Drop):
        return v1_0.apply(state, event)
    if state.discs.bit_count() != 1 or not state.actor:
        raise game.CannotApply("There is no first disc to take over.")
    return structs.replace(state, actor=0)


def legal(state: State, seat: str) -> game.Legal:
    drops, swap = v1_0.legal(state, seat), Swap(0, 0, seat)
    return drops if check(state, swap) else game.Legal((*drops.events, swap))


GAME: game.AnyGame = replace(
    OLD,
    rules_version="1.1",
    events=(Drop, Swap),
    check=check,
    apply=apply,
    legal=legal,
    messages={**OLD.messages, "swap": "{@by} takes over the first disc."},
    translation=lambda language: game.Translation(
        {**OLD.translation(language).messages, **game.translation(__name__, language).messages}, OLD.translation(language).words
    ),
    rules=lambda: OLD.rules() + files(__package__).joinpath("RULES.md").read_text("utf-8"),
)
