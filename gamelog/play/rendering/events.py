"""Effects of the events of a fold, and the sentences that describe them, as far as a viewer may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gamelog.message import ENGLISH, Locale, Message, Renderer, placeholders
from gamelog.play.contract.effects import Effect, Over, outcome_effects
from gamelog.play.contract.game import AnyGame
from gamelog.play.fold import game_errors
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.names_at_events import NamesAtEvents
from gamelog.play.rendering.sentences import Mark, arguments, message_template, sentence, sentence_of
from gamelog.play.rendering.session_effects import phrase_of, session_effects_of
from gamelog.play.visibility.events import UNSEEN, SeenEvent, visible_in_fold
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.envelope import Event, tag_of


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
    if type(event) in COMMON or n in fold.unknown_effects:
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
    phrase, name_of = phrase_of(fold, event), NamesAtEvents(fold).of(event)
    try:
        effects = effects_of(fold, event)
        return sentence(fold.game, event, effects, name_of, phrase, locale, mark)
    except Exception as error:
        failed = game_errors.failure_finding(error, fold.game, audience=fold.audience).message
        rest = Message.of("The result of this event is unknown: {problem}.", problem=failed)
        text = sentence(fold.game, event, (), name_of, phrase, locale)
        return f"{text} {Renderer(locale or ENGLISH).text(rest)}"


def visible_tag(game: AnyGame, event: Event, seen: SeenEvent) -> str:
    """Return the tag of the template for `event` if only `seen` may be shown; `UNSEEN` if nothing may.

    If members are hidden, the tag is ``tag?``, or the event's own tag if its template uses none of them.
    """
    tag = tag_of(type(event))
    if isinstance(seen, Event):
        return tag
    if seen is not None:
        if message_template(game, f"{tag}?"):
            return f"{tag}?"
        if all(place.name in seen for place in placeholders(message_template(game, tag))):
            return tag
    return UNSEEN


def visible_sentence(
    fold: Fold,
    event: Event,
    viewer: Viewer,
    effects: Iterable[Effect],
    name_of: Callable[[str], str],
    locale: Locale | None = None,
) -> str:
    """Return a sentence about the part of `event` and its effects that `viewer` may know.

    Args:
        fold: A fold that has the event.
        event: The event.
        viewer: The viewer.
        effects: The effects. Each one is shown, so leave out those that the viewer may not know.
        name_of: Returns the name of the person at a seat.
        locale: The language, or None for English.
    """
    game, visible = fold.game, visible_in_fold(fold, event, viewer)
    phrase = phrase_of(fold, event) if visible is event else visible_tag(game, event, visible)
    if phrase == UNSEEN:
        return sentence_of(game, [(UNSEEN, {"by": event.by})], name_of, locale)
    members = arguments(visible) if isinstance(visible, Event) else visible or {}
    parts = [(phrase, members), *((tag_of(type(effect)), arguments(effect)) for effect in effects)]
    return sentence_of(game, parts, name_of, locale)
