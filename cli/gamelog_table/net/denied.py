"""Refusals by the server itself, with their HTTP statuses, and the texts that several modules share."""

from __future__ import annotations

from gamelog.errors import GamelogError
from gamelog.message import Message

_STATUSES = {
    "table.cells": 400,
    "table.event": 400,
    "table.expect": 400,
    "table.gone": 400,
    "table.json": 400,
    "table.number": 400,
    "table.bad_link": 401,
    "table.no_link": 401,
    "table.hidden": 403,
    "table.origin": 403,
    "table.other_record": 403,
    "table.role": 403,
    "table.room": 403,
    "table.time": 403,
    "table.no_event": 404,
    "table.no_record": 404,
    "table.no_rematch": 404,
    "table.replaced": 404,
    "table.too_slow": 408,
    "table.too_long": 413,
    "table.host": 421,
    "chance.missing": 422,
    "chance.results": 422,
    "table.dice": 422,
    "table.name": 422,
    "table.guessing": 429,
    "table.too_much": 429,
    "table.too_often": 429,
    "table.failed": 500,
    "table.busy": 503,
    "table.full": 503,
    "table.endless": 503,
    "table.unreadable": 503,
    "table.no_page": 404,
    "table.not_over": 409,
}
"""HTTP statuses by the codes of the server's own refusals."""


UNREADABLE = "The record cannot be read at the moment. The link of the scorer shows the reason."
"""The error for links that may not see the whole record, because a reason can quote hidden members."""

REPLACED = "The file has another record now. Load the page again."
"""The answer to a request for a record whose file has another record."""

BAD_LINK = "This link does not work any more. Ask for a new one."
"""The answer to a link that is wrong or withdrawn."""


class Denied(GamelogError):
    """A refusal by the server itself. Its HTTP status follows from its ``code`` (`_STATUSES`)."""

    def __init__(self, code: str, message: str | Message, retry: int | None = None) -> None:
        super().__init__(message)
        self.code, self.retry = code, retry

    @property
    def status(self) -> int:
        """HTTP status of the answer."""
        return _STATUSES[self.code]
