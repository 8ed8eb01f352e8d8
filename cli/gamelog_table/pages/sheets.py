"""The sheets about disputed events, for arbiters to print."""

from __future__ import annotations

from gamelog_reports.incident_sheet import incident_sheet, sheet_policy
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gamelog.dispute.incident import last_incident
from gamelog.message import Message
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.record_file import read_under_lock
from gamelog_table.api import Api, query_number
from gamelog_table.net.denied import Denied
from gamelog_table.net.responses import language_of, page_response
from gamelog_table.record.earlier_positions import EarlierEvents


class Sheets:
    """Handler of the requests for sheets."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def routes(self) -> list[Route]:
        """Return the route of the handler."""
        return [Route("/api/records/{name:path}/sheet", self.sheet, methods=["GET"])]

    async def sheet(self, request: Request) -> Response:
        """Answer with the sheet about one event, for links that see the whole table.

        Raises:
            Denied: The link does not see the whole table, or the address names no event of the record.
        """
        linked = await self._api.linked_request(request)
        if not linked.grant.sees_all:
            raise Denied(
                "table.role",
                "Only the scorer and the arbiter can see the sheet, because it shows hidden information.",
            )
        n = query_number(request, "at")
        if n is None:
            raise Denied("table.number", "Give the number of the event in the address: ?at=N")

        def page(known: EarlierEvents) -> str:
            """Return the page of event `n`.

            Raises:
                Denied: The record has no such event.
            """
            record = read_under_lock(linked.record.path)
            known.check_record(record)
            folded = fold_record(record)
            if not known.events:
                raise Denied("table.no_event", "The record has no events yet, so there is no sheet.")
            if not 1 <= n <= last_incident(folded):
                raise Denied(
                    "table.no_event",
                    Message.of(
                        "There is no event {n}. The last event is event {last}.",
                        n=n,
                        last=last_incident(folded),
                    ),
                )
            return incident_sheet(folded, n, language_of(request))

        return page_response(
            await linked.record.ask_without_lock(page, linked.grant, linked.delay), sheet_policy()
        )
