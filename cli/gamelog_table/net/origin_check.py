"""The check of host and origin: requests use the server's own name and come from its pages or programs."""

from __future__ import annotations

from collections.abc import Collection

import starlette.types as asgi
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection

from gamelog_table.net.denied import Denied
from gamelog_table.net.responses import error_response, language_of

_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""Security headers of each answer."""


_CHUNK_BYTES = 16 * 1024
"""The bytes of an answer that are sent at a time, before the connection has taken most of them."""


class OriginCheck:
    """Middleware that refuses requests for a foreign host (DNS rebinding) or from a foreign page."""

    def __init__(self, app: asgi.ASGIApp, hosts: Collection[str], scheme: str) -> None:
        """Accept requests for `hosts`: this server's names with its port, as a browser sends them."""
        self._app, self._hosts = app, frozenset(hosts)
        self._origins = frozenset(f"{scheme}://{host}" for host in hosts)

    async def __call__(self, scope: asgi.Scope, receive: asgi.Receive, send: asgi.Send) -> None:
        """Answer a request, or refuse it if its host or origin is wrong."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: asgi.Message) -> None:
            """Send a part of an answer in chunks, with the headers of every answer."""
            body, sent = message.get("body", b""), 0
            while len(body) - sent > _CHUNK_BYTES:
                await send({**message, "body": body[sent : sent + _CHUNK_BYTES], "more_body": True})
                sent += _CHUNK_BYTES
            if sent:
                message = {**message, "body": body[sent:]}
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        wrong = self._wrong(Headers(scope=scope))
        await (error_response(wrong, language=language_of(HTTPConnection(scope))) if wrong else self._app)(
            scope, receive, send_with_headers
        )

    def _wrong(self, headers: Headers) -> Denied | None:
        hosts, origin = headers.getlist("host"), headers.get("origin")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return Denied(
                "table.host",
                "This address is wrong. Use the address that gamelog serve printed.",
            )
        if origin is not None and origin.lower() not in self._origins:
            return Denied("table.origin", "Pages from other websites cannot use this table.")
        return None
