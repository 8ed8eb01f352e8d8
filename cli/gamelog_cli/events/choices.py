"""Legal events as people type them: for lists, completion and prompts."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gamelog.message import Message
from gamelog.play.contract.game import AnyGame, ChanceDue, Legal
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.view.record_view import RecordView
from gamelog.play.visibility.viewer import WHOLE_TABLE, legal_in_view
from gamelog.record.envelope import tag_of
from gamelog_cli.input import typed_events, typed_members
from gamelog_cli.input.people import player_names
from gamelog_cli.printing.layout import wrap
from gamelog_cli.printing.output import print_line, print_lines

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completion
    from prompt_toolkit.document import Document

    from gamelog.record.envelope import Event

TYPED_COMMANDS = (
    "legal", "board", "list", "odds", "rules", "why", "who", "undo", "fix", "played", "note", "claim",
    "withdraw", "pause", "resume", "resign", "agree", "accept", "decline", "substitute", "amend", "ruling",
    "gap", "result",
    "help", "quit",
)  # fmt: skip
"""Commands of the recorder."""

VIEW_COMMANDS = frozenset(
    {"help", "?", "board", "legal", "list", "log", "odds", "rules", "why", "who", "quit", "exit"}
)
"""Commands that record nothing and can be typed at any time."""

PLAYER_COMMANDS = frozenset({"claim", "resign", "agree", "accept", "decline", "substitute", "amend"})
"""Commands that begin with a player."""

_MAX_PROMPT_KINDS = 4
"""Maximum number of kinds of events in a prompt."""

_MAX_LIST_SHARE = 0.5
"""Maximum share of the screen for a list, so that the board above it stays visible."""


class Choices:
    """Choices at the position of `recorder`, computed once for each position.

    They are all choices, with which typed lines are read. Only `visible_choices` may be shown.
    """

    def __init__(
        self,
        recorder: EventRecorder,
        choose: typed_events.Choose | None = None,
        *,
        only_visible: bool = False,
    ) -> None:
        """Make the choices.

        Args:
            recorder: The recorder.
            choose: Asks the user to choose one of several events; None if no one can be asked.
            only_visible: Whether all choices are only what the people present may know.
        """
        self.recorder = recorder
        self.choose = choose
        self._only_visible = only_visible
        self._last_position: tuple[object, int] | None = None
        self._visible: Choices | None = None
        self._legal = Legal(())
        self._vocabulary: typed_members.Vocabulary = {}

    def _update(self) -> None:
        """Update the legal events and their names if the record has changed since the last update."""
        fold = self.recorder.fold
        if self._last_position == (fold, fold.n):
            return
        self._last_position = fold, fold.n
        idle = fold.pending.outcome or not fold.pending.by
        viewer = self.recorder.viewer if self._only_visible else WHOLE_TABLE
        self._legal = Legal(()) if idle else legal_in_view(fold.game, fold.state, viewer)
        self._vocabulary = _vocabulary(self.recorder.record_view, self._legal.events)

    @property
    def visible_choices(self) -> Choices:
        """The same choices with only what the people present may know, without questions."""
        if self._only_visible:
            return self
        if self._visible is None:
            self._visible = Choices(self.recorder, only_visible=True)
        return self._visible

    @property
    def may_be_shown(self) -> bool:
        """Whether the people present may know all choices."""
        return self._only_visible or not self.recorder.viewer.seats

    @property
    def knows_all(self) -> bool:
        """Whether nothing in the position is hidden from the people present."""
        return self.recorder.record_view.knows_all

    @property
    def game(self) -> AnyGame:
        """The game, without short words if these could depend on what the people present may not know."""
        game = self.recorder.record_view.game
        if self._only_visible and not self.knows_all:
            return replace(game, shorthand=lambda _state, _words: None)
        return game

    @property
    def legal(self) -> Legal:
        """Decisions that are legal now; none while a roll is due or the game is over."""
        self._update()
        return self._legal

    @property
    def vocabulary(self) -> typed_members.Vocabulary:
        """Names in the position, as people type them."""
        self._update()
        return self._vocabulary

    @property
    def only_legal_event(self) -> Event | None:
        """Only legal decision; None if there are several, or if a roll is due as well."""
        pending = self.recorder.record_view.pending
        legal = self.visible_choices.legal
        alone = legal.complete and len(legal.events) == 1 and not pending.chance
        return legal.events[0] if alone and len(pending.by) == 1 else None

    @property
    def timeout(self) -> Event | None:
        """Event that the table records next because the game's clock has run out, or None."""
        view = self.recorder.record_view
        alarm = view.pending.next_timeout
        return alarm.event if alarm and view.clock(self.recorder.now()) >= alarm.at else None

    @property
    def chance(self) -> ChanceDue | None:
        """Roll or draw that is due, as far as the people present may know its content."""
        return self.recorder.record_view.pending.chance

    def due_text(self) -> Message:
        """Return the kinds of events that the prompt asks for, and how much of the turn is left."""
        kinds = _kinds(self.visible_choices.legal.events) or self._decisions()
        more = ["…"] if len(kinds) > _MAX_PROMPT_KINDS else []
        view = self.recorder.record_view
        knows_turn = view.knows_all or view.viewer.seat in view.pending.by  # hidden pieces are not counted
        left = view.game.left(view.current.state) if knows_turn else ""
        listed = ", ".join(kinds[:_MAX_PROMPT_KINDS] + more)
        return Message.of("{=events} ({left})" if left else "{=events}", events=listed, left=left)

    def _decisions(self) -> list[str]:
        """Return the kinds of decisions that may be legal, if the legal events cannot be listed."""
        if self.visible_choices.legal.complete:
            return []
        view = self.recorder.record_view
        game = view.game
        try:
            listed = (
                ()
                if view.knows_all
                else legal_in_view(game, view.state(view.last_played), WHOLE_TABLE).events
            )
        except Exception:  # a game may fail on a state from which more is removed than for any seat
            listed = ()
        return _kinds(listed) or [tag_of(kind) for kind in game.events if kind not in game.chance_events]

    def similar_events(self, event: dict[str, object], count: int = 3) -> list[str]:
        """Return up to `count` legal events as people type them, those most similar to `event` first."""
        given = [str(value) for value in event.values()]
        near = sorted(
            self._typed_events(), key=lambda typed: -sum(word in given for word in (typed[0].by, *typed[1]))
        )
        return [self._player(legal) + " ".join(words) for legal, words in near[:count]]

    def _typed_events(self) -> list[tuple[Event, list[str]]]:
        """Return the legal events that may be shown, each with its typed words."""
        return [(event, typed_members.event_words(event)) for event in self.visible_choices.legal.events]

    def _player(self, event: Event) -> str:
        """Return the player's name and a colon if several players are to move, or an empty text."""
        view = self.recorder.record_view
        return f"{view.name_of(event.by)}: " if len(view.pending.by) > 1 else ""

    def show(self, start: str = "") -> None:
        """Print the legal events that begin with `start`, as many as fit on the screen."""
        if not self.visible_choices.legal.events and not self.visible_choices.legal.complete:
            kinds = {tag_of(kind): kind for kind in self.recorder.record_view.game.events}
            usages = [" ".join([tag, *typed_members.placeholders(kinds[tag])]) for tag in self._decisions()]
            text = "The legal events cannot be listed. Their forms are: {=usages}"
            print_line(Message.of(text, usages="; ".join(usages)))
            return
        first_words = start.casefold().split()
        events = [
            (self._player(event), words)
            for event, words in self._typed_events()
            if _match_first_words(words, first_words)
        ]
        groups: dict[str, list[str]] = {}
        for player, (tag, *rest) in events:
            groups.setdefault(player + tag, []).append(" ".join(rest))
        lines: list[str] = []
        for tag, texts in groups.items():
            listed = "; ".join(texts) if any(" " in text for text in texts) else " ".join(texts)
            lines += wrap(f"{tag}: {listed}" if listed else tag, "  ")
        most = max(3, int(shutil.get_terminal_size().lines * _MAX_LIST_SHARE))
        print_lines(lines[:most] or [Message.of('No legal event begins with "{=start}".', start=start)])
        if len(lines) > most:
            text = "… {=count} in all. For fewer, type the first words: legal {=words}"
            example = " ".join(events[0][1][:2])
            print_line(Message.of(text, count=f"{len(events):,}", words=example))
        if not self.visible_choices.legal.complete:
            print_line(
                Message.of("(and other events, too many to list)")
                if self.visible_choices.legal.cut
                else Message.of("(and other events with the same results)")
            )

    def completions(self, document: Document) -> Iterable[Completion]:
        """Yield completions of the last word in `document`: legal events first, then commands."""
        from prompt_toolkit.completion import Completion

        *done, word = document.text_before_cursor.split(" ")
        for candidate in dict.fromkeys(self._candidates(done)):
            if candidate.casefold().startswith(word.casefold()):
                yield Completion(candidate, start_position=-len(word))

    def _candidates(self, done: list[str]) -> Iterator[str]:
        """Yield the words that can follow the words in `done`."""
        texts = map(typed_members.event_words, self.visible_choices.legal.events)
        yield from sorted(
            {text[len(done)] for text in texts if text[: len(done)] == done and len(text) > len(done)}
        )
        if not done:
            own = {tag_of(kind) for kind in self.recorder.record_view.game.events}
            yield from (f"@{command}" if command in own else command for command in TYPED_COMMANDS)
        elif len(done) == 1 and done[0].removeprefix("@") in PLAYER_COMMANDS:
            yield from self.recorder.record_view.header.seat_ids
        elif done == ["ruling"]:
            yield str(self.recorder.n)


def _kinds(events: Iterable[Event]) -> list[str]:
    """Return the tags of `events` without duplicates."""
    return list(dict.fromkeys(tag_of(type(event)) for event in events))


def _match_first_words(words: list[str], first_words: list[str]) -> bool:
    """Return whether the `words` of an event, with or without its tag, start with `first_words`."""
    folded = [word.casefold() for word in words]
    return any(
        all(word.startswith(start) for word, start in zip(own, first_words, strict=False))
        and len(own) >= len(first_words)
        for own in (folded, folded[1:])
    )


def _vocabulary(view: RecordView, legal: Iterable[Event]) -> typed_members.Vocabulary:
    """Return the names in the last position: cells, pieces, words of the `legal` events, and players."""
    scene = view.scene(view.last_played)
    places = {cell.id for cell in scene.ground.cells}
    places |= {
        piece.text for piece in scene.pieces if piece.text and not piece.text.isalpha()
    }  # a text of letters only is the kind of a piece
    for event in legal:
        for word in typed_members.event_words(event)[1:]:
            places.update(typed_members.NAME.findall(word))
    return typed_members.vocabulary(places, player_names(view))
