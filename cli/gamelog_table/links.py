"""Who may come to the table: a link for each role, made of one secret that is kept beside the records.

The secret is 256 random bits in a file that only its owner reads. A link's token follows from it by HMAC, 128
bits of it, so that links survive a restart and no list of them lies anywhere; a new secret withdraws them
all.
"""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Literal

from msgspec import Struct

from gamelog.errors import NotReadable
from gamelog.play.view.viewer import Viewer
from gamelog.record.disk import write_new
from gamelog.record.reading import read_bytes

Role = Literal["scorer", "seat", "arbiter", "spectator"]

OPEN_ROLES: tuple[Role, ...] = ("scorer", "arbiter", "spectator")
"""The roles that are not one seat's."""

_SECRET_BYTES, TOKEN_BYTES = 32, 16


class Grant(Struct, frozen=True):
    """What a link allows: a role, and where it is one seat's, which seat of which record (its id)."""

    role: Role
    seat: str = ""
    record: str = ""

    def viewer(self, seats: tuple[str, ...]) -> Viewer:
        """Return the viewer whose knowledge bounds what the link shows of a record with `seats`.

        A seat knows what it sees, spectators what every seat knows, scorer and arbiter all.
        """
        return Viewer({"seat": (self.seat,), "spectator": seats}.get(self.role, ()))


class LinkBook:
    """The links of a record or of a folder. `path` is the file with their secret;
    it is created if there is none.
    """

    def __init__(self, path: Path, *, renew: bool = False) -> None:
        """With `renew` all links given out before are withdrawn. Raises `NotReadable` and `WriteFailed`."""
        self.path = path
        if renew and path.exists():
            _replace(path)
        elif not path.exists():
            write_new(path, _made(), 0o600)
        self._status: tuple[int, int] | None = None
        self._secret = b""
        self._grants = {Grant(role) for role in OPEN_ROLES}
        self._by_digest: dict[bytes, Grant] = {}
        self._read()

    def _read(self) -> None:
        """Take the secret up anew where its file has changed:
        another process may have withdrawn the links.
        """
        try:
            found = self.path.stat()
        except OSError:
            self._secret, self._status = b"", None
            return
        if (found.st_mtime_ns, found.st_ino) == self._status:
            return
        if os.name != "nt" and found.st_mode & 0o077:
            raise NotReadable(
                f"Other users can read {self.path}, the secret of the links. Run: chmod 600 {self.path}"
            )
        text = read_bytes(self.path).strip()
        if len(text) != 2 * _SECRET_BYTES or not set(text) <= set(b"0123456789abcdef"):
            raise NotReadable(
                f"{self.path} does not contain the secret of the links. Remove the file to get new links."
            )
        self._secret, self._status = bytes.fromhex(text.decode()), (found.st_mtime_ns, found.st_ino)
        self._by_digest = {self._digest(self.token(grant)): grant for grant in self._grants}

    def _digest(self, token: str) -> bytes:
        """Return what a token is looked up by, from which nobody can tell how near a guess was."""
        return hmac.digest(self._secret, token.encode(errors="replace"), sha256)

    def token(self, grant: Grant) -> str:
        """The token of the link for `grant`, 22 characters."""
        said = "\n".join((grant.role, grant.record, grant.seat)).encode()
        return urlsafe_b64encode(hmac.digest(self._secret, said, sha256)[:TOKEN_BYTES]).rstrip(b"=").decode()

    def add(self, grants: Iterable[Grant]) -> None:
        """Make the links of `grants` known to `find_grant`."""
        for grant in grants:
            if grant not in self._grants:
                self._grants.add(grant)
                self._by_digest[self._digest(self.token(grant))] = grant

    def find_grant(self, token: str) -> Grant | None:
        """Return what `token` allows, or None. That takes as long for few links as for many."""
        self._read()
        return self._by_digest.get(self._digest(token)) if self._secret else None


def _made() -> bytes:
    return secrets.token_hex(_SECRET_BYTES).encode() + b"\n"


def _replace(path: Path) -> None:
    """Another secret in the place of the one at `path`: whole, or not at all."""
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    write_new(beside, _made(), 0o600)
    os.replace(beside, path)
