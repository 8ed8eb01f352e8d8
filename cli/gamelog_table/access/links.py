"""The links to the table: one for each role, derived from one secret that is stored with the records.

The secret is 256 random bits in a file that only its owner can read. The token of a link is 128 bits of an
HMAC with this secret. So links survive a restart, no file lists them, and a new secret withdraws all links.
"""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Literal

from msgspec import Struct, structs

from gamelog.errors import GamelogError, NotReadable
from gamelog.message import Message
from gamelog.play.visibility.viewer import Viewer
from gamelog.record.disk import write_new
from gamelog.record.reading import read_bytes

Role = Literal["scorer", "seat", "arbiter", "spectator"]

OPEN_ROLES: tuple[Role, ...] = ("scorer", "arbiter", "spectator")
"""The roles that do not belong to one seat."""

_SHARES: dict[Role, tuple[Role, ...]] = {
    "arbiter": ("arbiter", "scorer", "seat", "spectator"),
    "scorer": ("scorer", "seat", "spectator"),
    "seat": (),
    "spectator": (),
}
"""The roles whose links each role can share. No role can share a link with more authority than its own."""

_SECRET_BYTES, _TOKEN_BYTES = 32, 16


class Grant(Struct, frozen=True):
    """The permission of a link.

    Attributes:
        role: Role of the link.
        seat: Seat of the link, if the role is a seat.
        record: Id of the record if the link is for one record only.
        secret_number: Number of the secret (`LinkBook.secret_number`) when a request showed the link; None
            for a permission that does not come from a request.
    """

    role: Role
    seat: str = ""
    record: str = ""
    secret_number: int | None = None

    @property
    def sees_all(self) -> bool:
        """Whether the role may see everything, as the scorer and the arbiter may."""
        return self.role in ("scorer", "arbiter")

    @property
    def can_share_links(self) -> bool:
        """Whether the role can share links."""
        return bool(_SHARES[self.role])

    def can_share(self, other: Grant) -> bool:
        """Return whether the holder of this link can share the link of `other`."""
        return other.role in _SHARES[self.role] and self.record in ("", other.record)

    def viewer(self, seats: tuple[str, ...]) -> Viewer:
        """Return the viewer whose knowledge bounds what the link shows of a record with `seats`.

        A seat knows what it sees, spectators what every seat knows, scorer and arbiter all.
        """
        return Viewer({"seat": (self.seat,), "spectator": seats}.get(self.role, ()))


class LinkBook:
    """The links of a record or of a folder. The file `path` has their secret and is created if needed."""

    def __init__(self, path: Path, *, renew: bool = False) -> None:
        """Read the secret. `renew` withdraws all earlier links.

        Raises:
            NotReadable: The secret cannot be read.
            WriteFailed: The secret cannot be written.
        """
        self.path = path
        if renew and path.exists():
            _replace(path)
        elif not path.exists():
            write_new(path, _new_secret(), 0o600)
        self._status: tuple[int, int] | None = None
        self._secret = self._last_secret = b""
        self._secret_number, self._lock = 0, Lock()
        self._grants = {Grant(role) for role in OPEN_ROLES}
        self._by_digest: dict[bytes, Grant] = {}
        self._read()

    @property
    def secret_number(self) -> int:
        """The number of the current secret, or -1 if there is no secret that can be used."""
        try:
            self._read()
        except GamelogError:
            return -1
        return self._secret_number if self._secret else -1

    def _read(self) -> None:
        """Read the secret again if its file has changed: another process may have withdrawn the links.

        Raises:
            NotReadable: The secret cannot be used.
        """
        with self._lock:
            self._read_changed()

    def _read_changed(self) -> None:
        """Read the secret if its file has changed. The caller holds the lock.

        Raises:
            NotReadable: Other users can read the file, or it does not contain a secret.
        """
        try:
            file_status = self.path.stat()
        except OSError:
            self._secret, self._status = b"", None
            return
        if (file_status.st_mtime_ns, file_status.st_ino) == self._status:
            return
        if os.name != "nt" and file_status.st_mode & 0o077:
            raise NotReadable(
                Message.of(
                    "Other users can read {=path}, the secret of the links. Run: chmod 600 {$file}",
                    path=str(self.path),
                    file=str(self.path),
                )
            )
        text = read_bytes(self.path).strip()
        if len(text) != 2 * _SECRET_BYTES or not set(text) <= set(b"0123456789abcdef"):
            raise NotReadable(
                Message.of(
                    "{=path} does not contain the secret of the links. Remove the file to get new links.",
                    path=str(self.path),
                )
            )
        secret = bytes.fromhex(text.decode())
        self._secret_number += secret != self._last_secret
        self._secret = self._last_secret = secret
        self._status = file_status.st_mtime_ns, file_status.st_ino
        self._by_digest = {self._digest(self.token(grant)): grant for grant in self._grants}

    def _digest(self, token: str) -> bytes:
        """Return the digest by which a token is found. It does not show how close a guess was."""
        return hmac.digest(self._secret, token.encode(errors="replace"), sha256)

    def token(self, grant: Grant) -> str:
        """Return the token of the link for `grant`, 22 characters."""
        identity = "\n".join((grant.role, grant.record, grant.seat)).encode()
        return (
            urlsafe_b64encode(hmac.digest(self._secret, identity, sha256)[:_TOKEN_BYTES])
            .rstrip(b"=")
            .decode()
        )

    def add(self, grants: Iterable[Grant]) -> None:
        """Make the links of `grants` known to `find_grant`."""
        for grant in grants:
            if grant not in self._grants:
                self._grants.add(grant)
                self._by_digest[self._digest(self.token(grant))] = grant

    def find_grant(self, token: str) -> Grant | None:
        """Return the grant of `token`, or None. The time does not depend on the number of links."""
        self._read()
        grant = self._by_digest.get(self._digest(token)) if self._secret else None
        return grant and structs.replace(grant, secret_number=self._secret_number)


def _new_secret() -> bytes:
    return secrets.token_hex(_SECRET_BYTES).encode() + b"\n"


def _replace(path: Path) -> None:
    """Replace the secret at `path` in one step."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    write_new(beside, _new_secret(), 0o600)
    os.replace(beside, path)
