"""Recording from a program: start a record, or open one, and append to it."""

from __future__ import annotations

import os
import secrets
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any, Literal, Self

from gamelog.chance.commit import FORFEITS
from gamelog.errors import BadSetup, Refused
from gamelog.finding import Finding
from gamelog.front.replay import Step
from gamelog.message import many
from gamelog.play.contract.game import Pending
from gamelog.play.contract.registry import find
from gamelog.play.fold.fold import Fold
from gamelog.play.recording import recorder
from gamelog.play.recording.header import new_header
from gamelog.play.view.record_view import RecordView
from gamelog.record import log
from gamelog.record.envelope import DiceSpec, Event, Seat, proposal
from gamelog.record.escaping import brief
from gamelog.record.names import name_and_id


class Recorder:
    """A record that takes events. Get one from `gamelog.open` or `gamelog.create`.

    Each event is judged, stamped, and on the disk when `append` comes back. No file stays open between two
    appends, and others may append to the same record meanwhile: what they wrote is taken up before anything
    of one's own is judged.

    >>> with gamelog.create("evening.jsonl", "slicewars", seats={"red": "Ana", "blue": "Rui"}) as record:
    ...     step = record.append({"do": "start_roll", "rolls": {"red": 5, "blue": 2}})
    >>> record.n, step.text, record.pending.by
    (1, 'Ana rolls 5. Rui rolls 2. Ana rolled highest and begins.', ('red',))
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens the record at `path`; raises what `gamelog.open` raises."""
        self.path = os.fspath(path)
        self._recorder = recorder.EventRecorder(path)
        self._closed = False
        self._shown = self._fold, RecordView(self._fold)

    @property
    def _fold(self) -> Fold:
        return self._recorder.fold

    @property
    def n(self) -> int:
        """The number of the last event, as far as it is known here."""
        return self._recorder.n

    @property
    def head(self) -> str:
        """The digest of the record up to that event, 43 characters:
        who holds it can prove what was written.
        """
        return self._recorder.head

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self._fold.state

    @property
    def pending(self) -> Pending:
        """What can happen now: the seats that may act, the chance event that is due, or the outcome."""
        return self._fold.pending

    def append(
        self, event: Mapping[str, Any] | Event, *, as_played: bool = False, expect: int | None = None
    ) -> Step[Any, Any]:
        """Write `event` and give its step. As plain data it needs ``do`` and its own members.

        ``n`` and ``t`` (milliseconds since the record was started) are put in, and ``by`` where only one seat
        can be meant. An event whose ``id`` was written before is not written again. With `expect`, the number
        of the last event that the caller knows of, nothing is written if there are others by now. Raises
        `gamelog.Refused` for what the rules forbid, with what was legal in ``finding``; `as_played` writes it
        all the same, and the record is disputed until somebody rules on it. Raises another
        `gamelog.GamelogError` where it cannot be written, and ValueError after the ``with`` block.
        """
        if self._closed:
            raise ValueError(f"{self.path} is closed; open it again")
        given = _proposed(event)
        try:
            acks = self._recorder.append([given], expect=expect, as_played=as_played)
        except Refused:
            if self._recorder.is_good:
                raise
            self._recorder = recorder.EventRecorder(
                self.path
            )  # somebody has ruled on an event meanwhile: all is judged anew
            acks = self._recorder.append([given], expect=expect, as_played=as_played)
        if self._shown[0] is not self._fold:
            self._shown = self._fold, RecordView(self._fold)
        return Step(self._shown[1], acks[0].n)

    def roll(self) -> Step[Any, Any]:
        """Write the chance event that is due where its results follow from the record: from a seed, or from
        links revealed.

        Raises `gamelog.Refused` where no such event is due.
        """
        results = self._fold.due_results()
        if results is None:
            raise Refused(
                "No roll is due that follows from the record.", Finding("chance.missing", "no roll is due")
            )
        return self.append(self._fold.game.chance(self._fold.state, results), expect=self.n)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._closed = True

    def __repr__(self) -> str:
        file, game = brief(PurePath(self.path).name, 40), brief(self._fold.header.game, 20)
        return f"<Recorder {file}: {game}, {many(self.n, 'event')}>"


def _proposed(event: Mapping[str, Any] | Event) -> Mapping[str, Any]:
    """`event` as the judge takes it: an `Event` that was built with a time keeps it."""
    if isinstance(event, Event):
        return proposal(event) | ({"t": event.t} if event.t else {})
    return event


def open(path: str | os.PathLike[str]) -> Recorder:
    """Open the record at `path` to append to it; best in a ``with`` statement.

    Raises `gamelog.GamelogError`: for what cannot be read or written, is torn or damaged, or needs a game
    that is not installed; `gamelog.Refused` for a record in which an event is not good, so that nothing can
    follow it.

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
) -> Recorder:
    """Start a record of `game`, an installed game's id, in a new file, and open it.

    `seats` says who sits where: the game's seats and people's names, or ``NAME <id>``, in any order. `board`
    is the name of one of the game's boards, the first by default, or a board's data; `options` are by name,
    defaults where they are left out. The dice lie on the ``table``, or are ``seeded`` (by `seed`, drawn if
    left out), or follow by ``commit-reveal`` from secrets, whose `commitments` by seat were made for the
    record's `id`. Raises `gamelog.GamelogError` for what the game does not accept and for a file that exists.

    >>> seats = {"red": "Ana", "blue": "Rui"}
    >>> gamelog.create("new.jsonl", "slicewars", seats=seats, tags={"event": "Club night"})
    <Recorder new.jsonl: slicewars, 0 events>
    """
    found = find(*game.split("@", 1))
    if (dice == "commit-reveal") != bool(commitments) or (commitments and not id):
        raise BadSetup(
            'Dice by "commit-reveal" need the commitments of all seats and the id they were made for; '
            "others have none."
        )
    if seed is not None and dice != "seeded":
        raise BadSetup('A seed goes with dice="seeded".')
    order = found.seats.get(len(seats), found.seats[max(found.seats)])
    specs = {
        "table": DiceSpec("table"),
        "seeded": DiceSpec("seeded", seed or secrets.token_hex(16)),
        "commit-reveal": DiceSpec("commit-reveal", commitments=dict(commitments or {}), forfeit=FORFEITS[0]),
    }
    header = new_header(
        found,
        [
            Seat(seat, *name_and_id(seats[seat]))
            for seat in sorted(seats, key=lambda seat: order.index(seat) if seat in order else len(order))
        ],
        id=id or str(uuid.uuid4()),
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        options=dict(options or {}),
        board=board,
        dice=specs[dice],
        tags=dict(tags or {}),
        takebacks="agreed" if dice == "commit-reveal" else "scorer",
    )
    log.create_log(path, header)
    return Recorder(path)
