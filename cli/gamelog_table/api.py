"""The HTTP API for programs (docs/serve.md): records, positions, events, and live streams."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import starlette.types as asgi
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.errors import Conflict, GamelogError, Refused
from gamelog.message import Message
from gamelog.play.contract.game import AnyGame
from gamelog.play.view.position_data import position_data
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import MAX_RECORD
from gamelog_table.access.links import Grant
from gamelog_table.access.permissions import SPECTATOR_REFUSAL
from gamelog_table.events.appending import append_events
from gamelog_table.events.request_events import read_events
from gamelog_table.live.followers import Delay, StreamPosition
from gamelog_table.net.denied import BAD_LINK, Denied
from gamelog_table.net.http_protocol import MARK_LINKED_KEY
from gamelog_table.net.rate_limits import Bucket, body_of
from gamelog_table.net.responses import error_response, json_response, language_of
from gamelog_table.record.new_record import RecordCreator
from gamelog_table.record.served_folder import ServedFolder
from gamelog_table.record.served_record import ServedRecord
from gamelog_table.streams import LiveStream, StreamSlots

_WRITES_AT_ONCE, _WRITES_A_SECOND = 4_000, 200
"""Events that a link may record at once, and on average in a second."""

_BYTES_AT_ONCE, _BYTES_A_SECOND = 2 << 20, 2 << 10
"""Bytes that a link other than the scorer's may add to a record at once, and on average in a second."""

MAX_BYTES_FOR_OTHERS = MAX_RECORD // 2
"""Maximum size of a record for links other than the scorer's, so that they cannot fill it."""

_GUESSES_AT_ONCE, _GUESSES_A_SECOND = 30, 0.5
"""Wrong links that an address may send at once, and on average in a second."""

MAX_STREAMS = 2_000
"""Maximum number of live streams at a time, if the system allows this many connections."""

_MAX_EVENTS_LISTED = 100
"""Maximum number of events in the answer to a conflict."""


AnswerT = TypeVar("AnswerT")


class LinkedRequest:
    """A request with a valid link: its grant, its record, and the delay of its viewer."""

    def __init__(self, request: Request, grant: Grant, record: ServedRecord, delay: Delay) -> None:
        """Take a request with a valid link.

        Args:
            request: The request.
            grant: The permission of its link.
            record: The record that it is about.
            delay: The delay of the link.
        """
        self.request, self.grant, self.record = request, grant, record
        self.delay = delay

    async def ask(self, question: Callable[[RecordView], AnswerT], at: int | None = None) -> AnswerT:
        """Return the answer to `question`, asked of the record as the link may know it.

        With `at` it is asked of the record as it was known after that event.

        Raises:
            Denied: The link may not know of event `at`.
        """
        return await self.record.ask(question, self.grant, self.delay, at)


class Api:
    """Handlers of the requests of programs, for the records of `folder`."""

    def __init__(self, folder: ServedFolder, most_streams: int = MAX_STREAMS) -> None:
        self.folder, self._streams = folder, StreamSlots(most_streams)
        self.creator = RecordCreator(folder)
        self._writes = Bucket(_WRITES_AT_ONCE, _WRITES_A_SECOND)
        self._bytes = Bucket(_BYTES_AT_ONCE, _BYTES_A_SECOND)
        self._guesses = Bucket(_GUESSES_AT_ONCE, _GUESSES_A_SECOND)

    def routes(self) -> list[Route]:
        """Return the routes of the handlers."""
        path = "/api/records/{name:path}"
        return [
            Route(f"{path}/events", self.write, methods=["POST"]),
            Route(f"{path}/live", self.live, methods=["GET"]),
            Route(path, self.position, methods=["GET"]),
        ]

    def grant(self, request: Request, name: str | None) -> tuple[Grant, str | None]:
        """Return the grant of the request's link, and its record if it is for one.

        Raises:
            Denied: The link is missing, wrong or withdrawn.
        """
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            raise Denied(
                "table.no_link", "The request has no link. Send the header Authorization: Bearer TOKEN."
            )
        granted = self.folder.grant(token, name)
        if granted is not None:
            request.scope["state"][MARK_LINKED_KEY]()
            return granted
        address = request.client.host if request.client else ""
        if self._guesses.take(address):
            raise Denied(
                "table.guessing",
                "Too many wrong links were sent from your address. Wait a minute, then try again.",
                60,
            )
        if name is not None and self.folder.grant(token) is not None:
            if self.folder.is_folder:  # the answer does not show whether there is such a record
                raise Denied(
                    "table.other_record",
                    "This link is for another record. Open that record, or ask for a link to this record.",
                )
            raise _no_record(name)
        raise Denied("table.bad_link", BAD_LINK)

    async def linked_request(self, request: Request) -> LinkedRequest:
        """Return the request with its link and its record.

        Raises:
            Denied: The link or the record does not allow the request.
        """
        name = request.path_params["name"]
        grant, _ = self.grant(request, name)
        record = await self.folder.record(name)
        if record is None:
            raise _no_record(name)
        return LinkedRequest(request, grant, record, self.folder.delay_of(grant))

    async def answer_error(self, request: Request, error: Exception) -> Response:
        """Answer with an error that was raised on purpose."""
        assert isinstance(error, GamelogError)
        return self.error_answer(request, error)

    def error_answer(self, request: Request, error: GamelogError, status: int | None = None) -> Response:
        """Return the answer with `error`, with the status of its code unless `status` is given."""
        language, game = language_of(request), self.game_of(request)
        return error_response(error, self.folder.home, language=language, game=game, status=status)

    def game_of(self, request: Request) -> AnyGame | None:
        """Return the game of the requested record, for its words."""
        name = request.path_params.get("name")
        record = next(
            (open_record for open_record in self.folder.open_records if open_record.name == name), None
        )
        return record.game if record else None

    async def position(self, request: Request) -> Response:
        """Answer with the position, as `gamelog replay --json` prints it."""
        linked = await self.linked_request(request)
        n = query_number(request, "at")
        return json_response(await linked.ask(lambda view: position_data(view, view.last_number), n))

    async def live(self, request: Request) -> asgi.ASGIApp:
        """Answer with a stream of events.

        Raises:
            Denied: The link is not valid, or no place for another stream is free.
        """
        linked = await self.linked_request(request)
        record = linked.record
        seen, first = request.headers.get("last-event-id", ""), query_number(request, "from")
        seats, last = await linked.ask(lambda view: (view.viewer.seats, view.last_number))
        if seen.isdecimal() and len(seen) < 16:
            first = int(seen) + 1
        elif first is None:
            first = last + 1
        first = max(first, 1)
        if request.method == "HEAD":  # there is nothing to wait for
            return Response(media_type="text/event-stream")
        language = language_of(request) if request.query_params.get("as") == "steps" else ""
        stream = LiveStream(
            record,
            StreamPosition(seats, linked.delay, first, language),
            linked.grant,
            self._streams,
            partial(self.creator.has_rematch, record, linked.grant),
        )
        if not self._streams.take(linked.grant, stream):
            raise Denied(
                "table.full", "Too many devices are following this game already. Try again in a minute.", 60
            )
        return stream

    async def write(self, request: Request) -> Response:
        """Record one event, or the parts of a ruling."""
        linked = await self.linked_request(request)
        self.check_writer(linked)
        body = await body_of(request)
        events, expect = read_events(body)
        self._check_room(linked, len(body))
        try:
            ack, text = await append_events(linked.record, events, expect, linked.grant)
        except (Conflict, Refused) as error:
            return await self._answer_refusal(linked, error, expect)
        except Denied as error:
            if not error.code.startswith("chance."):
                raise
            return await self._answer_refusal(linked, error, expect)
        return json_response({"n": ack.n, "h": ack.head, "text": text}, 201)

    def check_writer(self, linked: LinkedRequest) -> None:
        """Raise `Denied` for a link that cannot record, or has just recorded too much."""
        if linked.grant.role == "spectator":
            raise Denied("table.role", SPECTATOR_REFUSAL)
        if wait := self._writes.take(f"{linked.grant} {linked.record.name}"):
            raise Denied("table.too_often", "Too many events were sent at once. Try again in a second.", wait)

    def _check_room(self, linked: LinkedRequest, size: int) -> None:
        """Raise `Denied` if the link cannot add `size` bytes to the record, or not yet."""
        if linked.grant.role == "scorer":
            return
        if linked.record.size + size > MAX_BYTES_FOR_OTHERS:
            raise Denied(
                "table.room",
                "This record is so long that only the scorer can add to it. Ask the scorer to record this.",
            )
        if wait := self._bytes.take(f"{linked.grant} {linked.record.name}", size):
            text = Message.of(
                "This link has sent too many events at once. Wait {=seconds} seconds, or ask "
                "the scorer to record this.",
                seconds=wait,
            )
            raise Denied("table.too_much", text, wait)

    async def _answer_refusal(
        self, linked: LinkedRequest, error: Conflict | Refused | Denied, expect: int | None
    ) -> Response:
        """Answer with the reason of a refusal and the events that were recorded since."""

        def new_events(view: RecordView) -> dict[str, Any]:
            first = view.last_number if expect is None else expect
            numbers = range(first + 1, min(first + _MAX_EVENTS_LISTED, view.last_number) + 1)
            written = [{"n": n, "event": view.event(n), "text": view.sentence(n)} for n in numbers]
            return {"n": view.last_number, "written": written}

        def visible_error(view: RecordView) -> Conflict | Refused | Denied:
            return view.shown_refusal(error) if isinstance(error, Refused) else error

        news, error = await linked.ask(lambda view: (new_events(view), visible_error(view)))
        if expect is not None and news["n"] != expect:  # one answer, whatever else is wrong
            moved = Message.of(
                "New events were recorded: the last event is now event {n}, not event "
                "{expected}. Look at the new events, then decide again.",
                n=news["n"],
                expected=expect,
            )
            error = Conflict(moved, expected=expect, found=news["n"])
        language = language_of(linked.request)
        more = news if isinstance(error, Conflict) else {"n": news["n"]}
        return error_response(error, self.folder.home, language=language, game=linked.record.game, **more)


def _no_record(name: str) -> Denied:
    return Denied("table.no_record", Message.of('There is no record "{=name}" here.', name=name[:60]))


def query_number(request: Request, name: str) -> int | None:
    """Return a number from the query, or None without one.

    Raises:
        Denied: The text is not a number.
    """
    given = request.query_params.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) < 16):
        raise Denied("table.number", Message.of('"{=name}" must be the number of an event.', name=name))
    return int(given)
