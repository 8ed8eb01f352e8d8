"""Answers as JSON, and which status a refusal has."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from starlette.responses import Response

from gamelog.errors import Conflict, Exists, GamelogError, Locked, RecordError, Refused, WriteFailed
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.fold.fold import Fold
from gamelog_table.speaking import spoken

STRANGERS_CODES = frozenset(("table.no_link", "table.bad_link", "table.guessing", "table.host"))
"""Codes of refusals after which a connection is closed: it asks without a link."""


class Denied(GamelogError):
    """What the server itself does not let somebody do: the status, and a code and sentence of their own."""

    def __init__(self, status: int, code: str, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.status, self.said, self.retry = status, code, retry


def answer_json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """`value` as JSON, which nobody on the way may keep."""
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def error_json(
    error: GamelogError,
    folder: Path | None = None,
    *,
    language: str = "en",
    fold: Fold | None = None,
    **more: Any,
) -> Response:
    """``{"error": {"code", "message"}}`` in `language`, with what else there is to say.

    Where `folder` lies on this machine is not said; with a `fold` the words of its game are known.
    """
    code = error.said if isinstance(error, Denied) else error.code
    message = str(error).replace(f"{folder}{os.sep}", "") if folder else str(error)
    if (
        fold
        and isinstance(error, Refused)
        and error.finding
        and (rule := rulebook(fold.game).get(error.finding.rule or ""))
    ):
        message = message.replace(rule.text, rulebook(fold.game, language)[rule.id].text)
    body = {"error": {"code": code, "message": spoken(message, language, fold)}} | more
    if isinstance(error, Refused) and error.finding is not None:
        body["finding"] = error.finding
    headers = {}
    if isinstance(error, Denied) and error.retry is not None:
        headers["retry-after"] = str(error.retry)
    if status_of_error(error) == 401:
        headers["www-authenticate"] = "Bearer"
    if code in STRANGERS_CODES:
        headers["connection"] = "close"
    return answer_json(body, status_of_error(error), headers)


def status_of_error(error: GamelogError) -> int:
    """The HTTP status for an error."""
    match error:
        case Denied():
            return error.status
        case Conflict() | Exists():
            return 409
        case Locked():
            return 503
        case WriteFailed():
            return 507
        case RecordError():
            return 503
        case _:
            return 422
