"""Output of a conversation: the board, events, refusals."""

from __future__ import annotations

from gamelog.errors import AppendError, Refused
from gamelog.finding import Finding
from gamelog.message import Message
from gamelog.play.fold.common_events import COMMON
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.rendering import refusals
from gamelog_cli.events.choices import Choices
from gamelog_cli.events.remarks import print_event, ruling_sentences
from gamelog_cli.input.typed_members import event_words
from gamelog_cli.printing.boards import board_lines
from gamelog_cli.printing.output import drawing_height, print_drawing, print_line

_MAX_LISTED = 12
"""Maximum number of events by other writers that are printed."""


def show_board(recorder: EventRecorder, since: int | None = None, *, whole: bool = False) -> None:
    """Print the board in the current position, and mark what has changed since event `since`.

    Without `since`, mark the changes of the last decision. Print only the part with the changes if the board
    is larger than the screen, unless the `whole` board is wanted.
    """
    view = recorder.record_view
    before = view.before_last_step() if since is None else since
    height = None if whole else drawing_height()
    print_drawing(board_lines(view, view.last_played, before, height), view.header.seat_ids)


def print_filled_in(recorder: EventRecorder, line: str) -> None:
    """Print the full form of the last event if `line` was a short form."""
    view = recorder.record_view
    event = view.whole_event(view.last_number)
    if (
        event is not None
        and type(event) not in COMMON
        and not isinstance(event, view.game.chance_events)
        and not line.startswith("{")
    ):
        parts = line.casefold().replace(",", " ").split()
        own = event_words(event)
        filled = [part.casefold() for word in own[1:] for part in word.split(",")]
        if any(part not in parts and part.rpartition(".")[2] not in parts for part in filled):
            print_line(Message.of("recorded as: {=event}", event=" ".join(own)))


def print_others(recorder: EventRecorder, since: int, until: int) -> None:
    """Print the events that others have recorded after event `since`, up to event `until`."""
    count = until - since
    if count > 0:
        print_line(Message.of("Someone else has recorded {n} {n:event|events}:", n=count))
    if count > _MAX_LISTED:
        print_line(Message.of("… {n} earlier {n:event|events}", n=count - _MAX_LISTED))
    for n in range(max(since, until - _MAX_LISTED) + 1, until + 1):
        print_event(recorder, n)


def print_ruling(recorder: EventRecorder, n: int, waiting: frozenset[int]) -> None:
    """Print the effects of ruling `n`, the last event. `waiting` are the claims that were open before it."""
    for sentence in ruling_sentences(recorder, n, waiting):
        print_line(sentence)


def print_refusal(choices: Choices, error: AppendError, event: dict[str, object]) -> str | None:
    """Print why `event` was refused and which similar events are legal. Return the id of the rule."""
    finding = error.finding if isinstance(error, Refused) else None
    if not isinstance(finding, Finding):
        print_line(error.message)
        return None
    finding = _visible_finding(choices.recorder, finding, event)
    print_line(refusals.refusal(choices.recorder.record_view.game, finding))
    count = len(choices.visible_choices.legal.events)
    if finding.code == "play.illegal" and not choices.timeout and count:
        near = "; ".join(choices.similar_events(event))
        text = "Legal now: {=events}"
        if count > 3:
            text = "Legal now: {=events} (of {=count}; to list all, type: legal)"
        print_line(Message.of(text, events=near, count=f"{count:,}"))
    return finding.rule


def _visible_finding(recorder: EventRecorder, finding: Finding, event: dict[str, object]) -> Finding:
    """Return `finding`, why `event` was refused, as far as it may be shown here."""
    try:
        proposed = None if (finding.n or 0) <= recorder.n else recorder.stamp(event)
    except Refused:  # the finding is about the form of the event
        return finding
    return recorder.record_view.shown_finding(finding, proposed)


def saved_message(recorder: EventRecorder) -> Message:
    """Return the message that the events are saved, with the command to continue."""
    return Message.of(
        "{n} {n:event|events} saved in {=path}. The game is over. To view it, run: gamelog replay {$path}"
        if recorder.is_over
        else "{n} {n:event|events} saved in {=path}. To continue, run: gamelog record {$path}",
        n=recorder.n,
        path=recorder.file.path,
    )
