"""An event that is in the record, printed with remarks; the effects of a ruling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gamelog.message import Message, verbatim, with_names
from gamelog.play.fold import game_errors
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.escaping import isolate
from gamelog_cli.printing.language import current_locale, text_of
from gamelog_cli.printing.output import print_line

if TYPE_CHECKING:
    from gamelog.dispute.ruling_summary import RulingEffect


def print_event(recorder: EventRecorder, n: int) -> None:
    """Print recorded event `n`, and remarks on it.

    An error in the code of a game is printed instead of the sentence, because the event is recorded anyway.
    """
    try:
        text = recorder.text(n, isolate, current_locale())
    except Exception as error:  # a game's code may fail, but the event is recorded
        game = recorder.record_view.game
        reason = game_errors.describe_failure(error, game) or verbatim(game_errors.error_text(error, game))
        text = text_of(
            Message.of("The event is recorded, but the program cannot show it: {problem}.", problem=reason)
        )
    print_line(f"{n}. {text}")
    for line in remarks_on(recorder, n):
        print_line(line)


def remarks_on(recorder: EventRecorder, n: int) -> Iterator[Message]:
    """Yield remarks on event `n`: the event that it is about, and what is wrong with it."""
    about = recorder.record_view.event(n).get("about")
    if about is not None and 0 < about < n:
        text = recorder.text(about, isolate, current_locale())
        yield Message.of("This is about event {n}: {text}", n=about, text=Message(text))
        now = recorder.record_view.event_status(about).replaced_by
        if now:
            yield Message.of("Event {n} was corrected. Event {now} replaces it.", n=about, now=now)
    doubt = recorder.remaining_problem(n)
    if doubt:
        yield doubt


def effect_of_ruling(recorder: EventRecorder, n: int, waiting: frozenset[int]) -> RulingEffect | None:
    """Return the effects of ruling `n`, or None if it has none yet because an earlier event is invalid.

    `waiting` are the claims that were open before it.
    """
    from gamelog.dispute.ruling_summary import ruling_effect

    fold = recorder.fold
    return ruling_effect(fold, n, waiting) if n <= fold.n else None


def ruling_sentences(recorder: EventRecorder, n: int, waiting: frozenset[int]) -> Iterator[Message]:
    """Yield sentences about the effects of ruling `n`, with names instead of seats."""
    from gamelog.dispute.ruling_summary import summarize

    view, fold = recorder.record_view, recorder.fold
    effect = effect_of_ruling(recorder, n, waiting)
    if effect is None:
        text = "The ruling takes effect when the arbiter has ruled on event {n}, which is invalid."
        yield Message.of(text, n=view.last_played + 1)
        return
    for sentence in summarize(fold, fold.rulings.by_number[n], effect):
        yield with_names(sentence, view.name_of)
