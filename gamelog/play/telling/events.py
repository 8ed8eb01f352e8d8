"""What happened at an event of a fold, for people: its consequences, and the sentence that tells them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.message import ENGLISH, Locale, Message, Renderer
from gamelog.play.contract.effects import Effect, Over, standings
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold import game_errors
from gamelog.play.fold.common import COMMON, Substitute
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.messages import Mark, sentence
from gamelog.play.telling.session_effects import effects_beside, phrase_of
from gamelog.record.envelope import Event


def consequences(
    game: AnyGame, before: Any, event: Event, after: Any, *, illegal: bool
) -> tuple[Effect, ...]:
    """The effects of `event`. Games answer for legal events alone: of an illegal one there may be none."""
    try:
        return game.effects(before, event, after)
    except Exception:
        if illegal:
            return ()
        raise


def with_standings(game: AnyGame, told: tuple[Effect, ...], after: Any) -> tuple[Effect, ...]:
    """The effects `told` of an event, and where they end the game its outcome's teams, places, payoffs."""
    over = any(isinstance(effect, Over) for effect in told)
    return (*told, *standings(game.pending(after).outcome)) if over else told


def effects_of(fold: Fold, event: Event) -> tuple[Effect, ...]:
    """The consequences of `event`, which `fold` has taken up: in the game, and at the table beside it."""
    return (*effects_in_game(fold, event), *effects_beside(fold, event))


def effects_in_game(fold: Fold, event: Event) -> tuple[Effect, ...]:
    """The effects of `event`; none of a common one, and of one that nobody could carry out."""
    n = event.n
    if type(event) in COMMON or n in fold.unknown:
        return ()
    told = consequences(fold.game, fold.states[n - 1], event, fold.states[n], illegal=n in fold.violations)
    return with_standings(fold.game, told, fold.states[n])


def describe_event(fold: Fold, event: Event, mark: Mark | None = None, locale: Locale | None = None) -> str:
    """Return a sentence that describes `event`, which is in `fold`: in English without a `locale`."""
    phrase = phrase_of(fold, event)
    try:
        effects, name_of = effects_of(fold, event), seat_names(fold, event)
        return sentence(fold.game, event, effects, name_of, phrase, locale, mark)
    except Exception as error:
        failed = game_errors.failure_finding(error, fold.game).sentence
        rest = Message.of("The result of this event is unknown: {problem}.", problem=failed)
        text = sentence(fold.game, event, (), seat_names(fold, event), phrase, locale)
        return f"{text} {Renderer(locale or ENGLISH).text(rest)}"


def seat_names(fold: Fold, event: Event) -> Callable[[str], str]:
    """How a sentence about `event` calls the seats: as the fold does, a substitution as before it."""
    table = fold.session_at(min(event.n - 1, fold.n)) if isinstance(event, Substitute) else fold.session
    return table.name_of
