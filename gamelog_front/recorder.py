"""Recording from a program: start or open a record and add events to it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Literal, Self

from gamelog.errors import BadSetup, Refused
from gamelog.finding import Finding
from gamelog.message import many
from gamelog.play.contract.game import Pending
from gamelog.play.contract.registry import find
from gamelog.play.fold.fold import Fold
from gamelog.play.recording import recorder
from gamelog.play.recording.header import named_seats, start_header
from gamelog.record import record_file
from gamelog.record.envelope import Event, as_proposal
from gamelog.record.escaping import shorten
from gamelog_front.replay import Step


class Recorder:
    """A record to which you add events. Get one from `gamelog.open` or `gamelog.create`.

    When `append` returns, the event has been judged and is on the disk. No file stays open between two
    appends. Other programs can add events to the same record. `append` reads these events before it judges
    yours.

    >>> with gamelog.create("evening.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"}) as record:
    ...     step = record.append({"do": "start_roll", "rolls": {"red": 5, "blue": 2}})
    >>> record.n, step.text, record.pending.by
    (1, 'Ana rolls 5. Rui rolls 2. Ana rolled highest and begins.', ('red',))
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Open the record at `path`. It raises the same errors as `gamelog.open`."""
        self.path = os.fspath(path)
        self._recorder = recorder.EventRecorder(path)
        self._closed = False

    @property
    def _fold(self) -> Fold:
        return self._recorder.fold

    @property
    def n(self) -> int:
        """The number of the last event that this recorder knows."""
        return self._recorder.n

    @property
    def head(self) -> str:
        """The digest of the record up to the last event that this recorder knows, 43 characters.

        Keep it to prove the content.
        """
        return self._recorder.head

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self._fold.state

    @property
    def pending(self) -> Pending:
        """The seats that may act, the chance event that is due, or the outcome."""
        return self._fold.pending

    def append(
        self, event: Mapping[str, Any] | Event, *, as_played: bool = False, expect: int | None = None
    ) -> Step[Any, Any]:
        """Record `event` and return its step. Plain data need ``do`` and the members of the event.

        The recorder adds ``n`` and ``t`` (milliseconds since the start of the record), and ``by`` if only one
        seat is possible. It does not record an event again if its ``id`` is already in the record. `expect`
        is the number of the last event that the caller knows; if there are later events, nothing is recorded.
        With `as_played`, an illegal event is recorded anyway, and the record is disputed until the arbiter
        rules on this event.

        Raises:
            gamelog.Refused: The rules forbid the event; its ``finding`` has the legal events.
            gamelog.GamelogError: The event cannot be recorded.
            ValueError: The ``with`` block has ended.
        """
        if self._closed:
            raise ValueError(f"{self.path} is closed; open it again")
        given = _proposed(event)
        try:
            acks = self._recorder.append([given], expect=expect, as_played=as_played)
        except Refused:
            if self._recorder.is_good:
                raise
            # after a ruling of another writer, the whole record has to be judged again
            self._recorder = recorder.EventRecorder(self.path)
            acks = self._recorder.append([given], expect=expect, as_played=as_played)
        return Step(self._recorder.record_view, acks[0].n)

    def roll(self) -> Step[Any, Any]:
        """Record the chance event that is due, with results from the seed or from the revealed links.

        Raises:
            gamelog.Refused: No such event is due.
            gamelog.GamelogError: The event cannot be written; see `append`.
            ValueError: The recorder is closed.
        """
        results = self._fold.due_results()
        if results is None:
            raise Refused(
                "No roll from a seed or from links is due.", Finding("chance.missing", "no roll is due")
            )
        return self.append(self._fold.game.chance(self._fold.state, results), expect=self.n)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._closed = True

    def __repr__(self) -> str:
        file, game = shorten(PurePath(self.path).name, 40), shorten(self._fold.header.game, 20)
        return f"<Recorder {file}: {game}, {many(self.n, 'event')}>"


def _proposed(event: Mapping[str, Any] | Event) -> Mapping[str, Any]:
    """Return `event` as plain data. An `Event` that was made with a time keeps it."""
    if isinstance(event, Event):
        return as_proposal(event) | ({"t": event.t} if event.t else {})
    return event


def open(path: str | os.PathLike[str]) -> Recorder:
    """Open the record at `path` to add events to it, best in a ``with`` statement.

    Raises:
        gamelog.Refused: An event of the record is bad, so no event can follow it.
        gamelog.GamelogError: The record cannot be read or written, is torn or damaged, or its game is not
            installed.

    >>> record = gamelog.create("evening.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"})
    >>> with gamelog.open("evening.jsonl") as record:
    ...     try:
    ...         record.append({"do": "claim", "at": "C3"})
    ...     except gamelog.Refused as refused:
    ...         print(refused.finding.code, refused.finding.rule)
    play.illegal SW-2
    """
    return Recorder(path)


def create(
    path: str | os.PathLike[str],
    game: str,
    *,
    seats: Mapping[str, str],
    board: str | dict[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    dice: Literal["table", "seeded", "commit-reveal"] = "table",
    seed: str | None = None,
    commitments: Mapping[str, str] | None = None,
    id: str | None = None,
    tags: Mapping[str, str] | None = None,
    takebacks: Literal["scorer", "agreed", "arbiter"] | None = None,
    rolls: Literal["scorer", "players"] = "scorer",
) -> Recorder:
    """Start a record of `game` in a new file, and open it.

    Args:
        path: The new file. Nothing is overwritten.
        game: The id of an installed game, with ``@`` and a version of its rules if not the newest.
        seats: The name of the person at each seat, or ``NAME <id>``, in any order.
        board: The name of one of the game's boards, or the data of a board; None for the first board.
        options: Values of options by name. All other options have their defaults.
        dice: The source of the dice: ``table`` (people roll the dice), ``seeded`` (the dice follow from
            `seed`) or ``commit-reveal``.
        seed: The seed of seeded dice, or None for a new one.
        commitments: For commit-reveal dice, the commitment of each seat, made for the `id` of the record.
        id: The id of the record, or None for a new one.
        tags: Free texts by name, for example the event and the place.
        takebacks: Who must agree to a takeback: no one (``scorer``), the other players (``agreed``) or the
            ``arbiter``. None means the other players if the dice are commit-reveal or if the players enter
            them, and otherwise no one.
        rolls: The role that enters dice and draws at ``gamelog serve``: only the ``scorer``, or the
            ``players``, each for their own seat.

    Raises:
        gamelog.GamelogError: The game does not accept the setup, or the file exists.

    >>> seats = {"red": "Ana", "blue": "Rui"}
    >>> gamelog.create("new.jsonl", "slicewars", seats=seats, tags={"event": "Club night"})
    <Recorder new.jsonl: slicewars, 0 events>
    """
    installed = find(*game.split("@", 1))
    if (dice == "commit-reveal") != bool(commitments) or (commitments and not id):
        raise BadSetup(
            'Dice by "commit-reveal" need the commitments of all seats and the id that they were made for. '
            "Other dice have no commitments."
        )
    if seed is not None and dice != "seeded":
        raise BadSetup('A seed goes with dice="seeded".')
    header = start_header(
        installed,
        named_seats(installed, seats),
        id=id,
        options=dict(options or {}),
        board=board,
        dice=dice,
        seed=seed,
        commitments=commitments,
        tags=dict(tags or {}),
        takebacks=takebacks,
        rolls=rolls,
    )
    record_file.create_record(path, header)
    return Recorder(path)
