"""Effects of the events of a fold, and the sentences that describe them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamelog.message import ENGLISH, Locale, Message, Renderer
from gamelog.play.contract.effects import Effect, Over, outcome_effects
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold import game_errors
from gamelog.play.fold.common_events import COMMON, Substitute
from gamelog.play.fold.fold import Fold
from gamelog.play.telling.sentences import Mark, sentence
from gamelog.play.telling.session_effects import phrase_of, session_effects_of
from gamelog.record.envelope import Event


def consequences(
    game: AnyGame, before: Any, event: Event, after: Any, *, illegal: bool
) -> tuple[Effect, ...]:
    """Return the effects of `event` in the game.

    Args:
        game: The game.
        before: The state before the event.
        event: An event of the game.
        after: The state after the event.
        illegal: Whether the event broke a rule. If the game then fails, there are no effects, because games
            answer for legal events only.

    Raises:
        Exception: The game fails at a legal event.
    """
    try:
        return game.effects(before, event, after)
    except Exception:
        if illegal:
            return ()
        raise


def effects_of(fold: Fold, event: Event) -> tuple[Effect, ...]:
    """Return the effects of `event`, which is in `fold`, in the game and at the table."""
    return (*effects_in_game(fold, event), *session_effects_of(fold, event))


def effects_in_game(fold: Fold, event: Event) -> tuple[Effect, ...]:
    """Return the effects of `event` in the game. A common or impossible event has none."""
    n = event.n
    if type(event) in COMMON or n in fold.unknown:
        return ()
    game, after = fold.game, fold.states[n]
    effects = consequences(game, fold.states[n - 1], event, after, illegal=n in fold.violations)
    if any(isinstance(effect, Over) for effect in effects):  # then the teams, places and payoffs follow
        return (*effects, *outcome_effects(game.pending(after).outcome))
    return effects


def describe_event(fold: Fold, event: Event, mark: Mark | None = None, locale: Locale | None = None) -> str:
    """Return a sentence that describes `event`.

    Args:
        fold: A fold that has the event.
        event: The event. If the game fails to describe its effects, the sentence says so.
        mark: Prepares each value for display, or None.
        locale: The language, or None for English.
    """
    phrase = phrase_of(fold, event)
    try:
        effects, name_of = effects_of(fold, event), seat_names(fold, event)
        return sentence(fold.game, event, effects, name_of, phrase, locale, mark)
    except Exception as error:
        failed = game_errors.failure_finding(error, fold.game, audience=fold.audience).message
        rest = Message.of("The result of this event is unknown: {problem}.", problem=failed)
        text = sentence(fold.game, event, (), seat_names(fold, event), phrase, locale)
        return f"{text} {Renderer(locale or ENGLISH).text(rest)}"


def seat_names(fold: Fold, event: Event) -> Callable[[str], str]:
    """Return the function that names the seats in a sentence about `event`.

    A substitution is described with the names before it.
    """
    session = fold.session_at(min(event.n - 1, fold.n)) if isinstance(event, Substitute) else fold.session
    return session.name_of
