"""Answers as JSON in the requested language, and the HTTP status of each refusal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, Response

from gamelog.errors import Conflict, Exists, GamelogError, Locked, RecordError, Refused, WriteFailed
from gamelog.message import Message, Renderer
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.locales import LANGUAGES, load_locale
from gamelog.play.rendering.refusals import without_legal
from gamelog_table.net.denied import Denied

MESSAGE_PACKAGE = "gamelog_table"
"""The package with the translations of the server's messages."""

_STRANGERS_CODES = frozenset(("table.no_link", "table.bad_link", "table.guessing", "table.host"))
"""Codes of refusals after which a connection is closed: it asks without a link."""


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return `value` as JSON."""
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def page_response(html: str | bytes, policy: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a page with its content security policy. No other page may show it in a frame."""
    secured = {"content-security-policy": f"{policy}; frame-ancestors 'none'", **(headers or {})}
    return HTMLResponse(html, headers=secured)


def error_response(
    error: GamelogError,
    folder: Path | None = None,
    *,
    language: str = "en",
    game: AnyGame | None = None,
    status: int | None = None,
    **more: Any,
) -> Response:
    """Return ``{"error": {"code", "message", "said"}}`` as a response.

    If the message of a refusal lists legal events, ``short`` is the message without these events, for people.

    Args:
        error: The error. If it has a finding, the body has it too.
        folder: A folder of this machine, whose path is left out of the message; None for no folder.
        language: The language of ``message``.
        game: The game whose words are translated too, or None.
        status: The HTTP status, or None for the status of the error's code.
        more: Further members of the body.
    """
    code, message = error.code, without_folder(error.message, folder) if folder else error.message
    body: dict[str, Any] = {
        "error": {"code": code, "message": render_message(message, language, game), "said": message}
    }
    body |= more
    if isinstance(error, Refused) and error.finding is not None:
        body["finding"] = error.finding
        if error.finding.legal:
            body["error"]["short"] = render_message(without_legal(message), language, game)
    status, headers = status or status_of_error(error), {}
    if isinstance(error, Denied) and error.retry is not None:
        headers["retry-after"] = str(error.retry)
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    if code in _STRANGERS_CODES:
        headers["connection"] = "close"
    return json_response(body, status, headers)


def without_folder(message: Message, folder: Path) -> Message:
    """Return `message` without the path of `folder` on this machine, in its text and its values."""

    def hide(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(f"{folder}{os.sep}", "")
        return without_folder(value, folder) if isinstance(value, Message) else value

    return Message(hide(message.text), {name: hide(value) for name, value in message.args.items()})


def language_of(request: HTTPConnection) -> str:
    """Return the first language that the browser asks for and pages have; English for programs."""
    accepted = request.query_params.get("lang") or request.headers.get("accept-language", "")
    words = [part.partition(";")[0].strip().lower()[:2] for part in accepted.split(",")]
    return next((word for word in words if word in LANGUAGES), "en")


def render_message(message: Message, language: str, game: AnyGame | None = None) -> str:
    """Return `message`, by the server or about an event of `game`, in `language`.

    Text without a translation stays in English.
    """
    try:
        known = load_locale(language, game, MESSAGE_PACKAGE)
    except Exception:  # a game may fail at its own words: the answer is more than these
        known = load_locale(language, None, MESSAGE_PACKAGE)
    return Renderer(known).text(message)


def status_of_error(error: GamelogError) -> int:
    """Return the HTTP status for an error."""
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
