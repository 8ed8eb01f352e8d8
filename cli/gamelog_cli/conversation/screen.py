"""What a conversation shows: the board, what happened, why something was refused."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from gamelog.errors import AppendError, Refused, own_words
from gamelog.finding import Finding
from gamelog.message import many
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.fold import game_errors
from gamelog.play.fold.common import COMMON
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.ascii_board import ascii_board, initials
from gamelog.play.telling.messages import renderer
from gamelog.play.telling.seeing import seats_in, seen_in
from gamelog.record.escaping import isolated
from gamelog_cli.conversation.choices import Choices
from gamelog_cli.output import drawing, drawing_width, print_wrapped
from gamelog_cli.typed_members import event_words

_MAX_EVENTS_TOLD = 12
"""How many events of others are told one by one."""


def show_board(recorder: EventRecorder) -> None:
    """Draw the position."""
    view, seats = recorder.record_view, recorder.fold.header.seat_ids
    scene = view.position(view.last_played).scene
    drawing(ascii_board(scene, initials(seats), drawing_width()), seats)


def tell_event(recorder: EventRecorder, n: int) -> None:
    """Say what happened in event `n`, which is in the record whatever becomes of telling it."""
    try:
        text = recorder.text(n, isolated)
    except Exception as error:  # a game of somebody else's; what is written must not look as if it had failed
        reason = game_errors.describe_failure(error, recorder.fold.game) or own_words(error)
        text = f"It is written, but {reason}."
    print_wrapped(f"{n}. {text}")
    for line in around(recorder, n):
        print_wrapped(line)


def around(recorder: EventRecorder, n: int) -> Iterator[str]:
    """What belongs to event `n` beside its own sentence:
    which event it is about, and what is wrong with it.
    """
    about = getattr(recorder.events[n - 1], "about", None)
    if about is not None and 0 < about < n:
        yield f"Event {about} is: {recorder.text(about, isolated)}"
    doubt = recorder.doubt(n)
    if doubt:
        yield str(doubt)


def tell_filled_in(recorder: EventRecorder, line: str) -> None:
    """Say which event was written, the last one, where `line` left to the rules what is in it."""
    event = recorder.events[-1]
    if (
        type(event) not in COMMON
        and seen_in(recorder.fold, event, recorder.view) is event
        and not isinstance(event, recorder.fold.game.chance_events)
        and not line.startswith("{")
    ):
        parts = line.casefold().replace(",", " ").split()
        own = event_words(event)
        filled = [part.casefold() for word in own[1:] for part in word.split(",")]
        if any(part not in parts and part.rpartition(".")[2] not in parts for part in filled):
            print_wrapped(f"written as: {' '.join(own)}")


def tell_others(recorder: EventRecorder, since: int, until: int) -> None:
    """Say what somebody else has written behind event `since`, up to event `until`."""
    count = until - since
    if count > 0:
        print_wrapped(f"Somebody else has written {'this' if count == 1 else f'{count} events'}:")
    if count > _MAX_EVENTS_TOLD:
        print_wrapped(f"… {count - _MAX_EVENTS_TOLD} before these")
    for n in range(max(since, until - _MAX_EVENTS_TOLD) + 1, until + 1):
        tell_event(recorder, n)


def tell_ruling(recorder: EventRecorder, n: int, waiting: frozenset[int]) -> None:
    """Say what ruling `n`, the last event, did; `waiting` are the claims that were open before it."""
    from gamelog.dispute.ruling_summary import ruling_effect, summary

    fold = recorder.fold
    if fold.n != n:
        print_wrapped(f"It takes effect once event {fold.n + 1}, which is not good, has been ruled on.")
        return
    english = renderer(fold.game, fold.session.name_of)
    for sentence in summary(fold, fold.rulings.made[n], ruling_effect(fold, n, waiting)):
        print_wrapped(english.text(sentence))
    show_board(recorder)


def refusal(choices: Choices, error: AppendError, event: dict[str, object]) -> str | None:
    """Say why `event` was not taken, and what would be, in the words in which it is typed.
    Gives the rule that forbids it.
    """
    finding = error.finding if isinstance(error, Refused) else None
    if not isinstance(finding, Finding):
        print_wrapped(f"{error}")
        return None
    text = "Refused; why may tell what is hidden here"
    if _may_be_told(choices.recorder, finding, event):
        text = f"Refused: {finding.message.rstrip('.')}"
    rule = rulebook(choices.recorder.fold.game).get(finding.rule or "")
    print_wrapped(text + (f" [{rule.id}: {rule.text.rstrip('.')}]." if rule else "."))
    alarm = choices.timeout
    count = len(choices.shown.events)
    if finding.code == "play.illegal" and not alarm and count:
        near = "; ".join(choices.near(event))
        print_wrapped(f"Now: {near}" + (f" ({count:,} in all; legal lists them)" if count > 3 else ""))
    return finding.rule


def _may_be_told(recorder: EventRecorder, finding: Finding, event: dict[str, object]) -> bool:
    """Return whether the reason in `finding`, for which `event` was refused, tells nothing that is hidden."""
    fold, view = recorder.fold, recorder.view
    by = event.get("by", fold.pending.by[0] if len(fold.pending.by) == 1 else None)
    own = seats_in(view) == (by,)
    return finding.code != "play.illegal" or own or recorder.record_view.knows_all


def saved(recorder: EventRecorder) -> str:
    """What is safe on the disk, and how to go on."""
    path = shlex.quote(recorder.log.path)
    done = (
        "the game is over; look at it with: gamelog replay"
        if recorder.is_over
        else "go on with: gamelog record"
    )
    return f"{many(recorder.n, 'event')} saved in {recorder.log.path}; {done} {path}"
