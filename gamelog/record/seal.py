"""Seals: signed statements of how far a record had come, kept apart from the record.

A seal is a signed note: a text, an empty line, and an Ed25519 signature over the text::

    gamelog/1 3b1c7a52-0f0e-4a55-9c0e-0d6c5a9b7f10
    41
    wSiqLeBdxfpFoH4AWJB4Z2xQyHIS41T7rE1WzTtyu4c
    seat red
    time 2026-11-20T21:42:14.000Z
    key ana+0a2cf5b6+ASrkEp1eQDQUnPIGCVhSIHLe77PEV1eKSfw3CYTPYfM5

    — ana CizF…

The lines are the record's id, the number of its events, the head after the last event, the seat that signs,
the time and the key. Notes and keys follow the C2SP specification ``signed-note``, so other programs can read
them. The first three lines follow ``tlog-checkpoint``, with the record's head as the root of the tree. With a
seal, anyone can check whether a record extends what was sealed: line 41 must still have that head.

A seal does not prove who holds the key. The header, or a trusted person, must name the key's owner. The time
is the time that the signer stated.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode, b64encode
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from types import ModuleType

from msgspec import Struct

from gamelog.errors import BadSeal, MissingExtra, NotReadable, RecordError
from gamelog.message import Message
from gamelog.record.disk import write_new
from gamelog.record.envelope import Header
from gamelog.record.reading import check_regular_file

_ED25519 = b"\x01"
"""Algorithm byte before a key's 32 bytes."""

PRIVATE = "PRIVATE+KEY+"
"""Beginning of the text of a private key."""

_MAX_SEAL = 1 << 16
"""Maximum size of a seal or key file in bytes."""

_note = re.compile(
    r"gamelog/1 (?P<id>[^\n]+)\n(?P<n>0|[1-9]\d{0,15})\n(?P<head>[A-Za-z0-9_-]{43})\nseat (?P<seat>[^\n]+)\n"
    r"time (?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\nkey (?P<key>[^\n]+)\n\n— (?P<name>[^ \n]+) "
    r"(?P<sig>[^ \n]+)\n"
)


def _nacl() -> ModuleType:
    try:
        import nacl.signing
    except ImportError:
        raise MissingExtra("Signing and checking signatures", "sign") from None
    return nacl.signing


class Key(Struct, frozen=True):
    """A public key: a `name` without spaces or plus signs, and 32 bytes."""

    name: str
    data: bytes

    @property
    def id(self) -> bytes:
        """Four bytes that distinguish keys in notes.

        They prove nothing, because two keys may have the same id.
        """
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.data).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{b64encode(_ED25519 + self.data).decode()}"

    @classmethod
    def parse(cls, text: str) -> Key:
        """Return the public key in `text`, written as ``name+id+base64``.

        Raises:
            BadSeal: `text` is not a public key.
        """
        name, data = _parts(text.strip())
        key = cls(name, data)
        if str(key) != text.strip():
            raise BadSeal(
                Message.of(
                    '"{=text}" is not a valid public key. Copy the whole key from its file.',
                    text=text.strip()[:80],
                )
            )
        return key

    def verify(self, text: str, signature: str) -> bool:
        """Return whether `signature`, written as in a note, is a signature of this key over `text`.

        Raises:
            MissingExtra: PyNaCl is not installed.
        """
        nacl = _nacl()
        try:
            data = b64decode(signature, validate=True)
        except ValueError:
            return False
        if b64encode(data).decode() != signature or data[:4] != self.id or len(data) != 68:
            return False
        try:
            nacl.VerifyKey(self.data).verify(text.encode(), data[4:])
        except nacl.exc.BadSignatureError:
            return False
        return True


class Signer(Struct, frozen=True):
    """A private key: the public key and 32 secret bytes."""

    key: Key
    seed: bytes

    @classmethod
    def new(cls, name: str) -> Signer:
        """Return a new key.

        Raises:
            BadSeal: A key cannot have this name.
            MissingExtra: PyNaCl is not installed.
        """
        if not is_name(name):
            raise BadSeal(
                Message.of(
                    'A key cannot have the name "{=name}". Use printable characters, but no '
                    "spaces or plus signs.",
                    name=name,
                )
            )
        return cls.of(name, token_bytes(32))

    @classmethod
    def of(cls, name: str, seed: bytes) -> Signer:
        """Return the key derived from `seed`.

        Raises:
            MissingExtra: PyNaCl is not installed.
        """
        return cls(Key(name, bytes(_nacl().SigningKey(seed).verify_key)), seed)

    def __str__(self) -> str:
        return f"{PRIVATE}{self.key.name}+{self.key.id.hex()}+{b64encode(_ED25519 + self.seed).decode()}"

    @classmethod
    def parse(cls, text: str) -> Signer:
        """Return the private key in `text`.

        Raises:
            BadSeal: `text` is not a private key. The message shows nothing of `text`.
        """
        text = text.strip()
        if not text.startswith(PRIVATE):
            raise BadSeal("This is not a private key: it does not begin with PRIVATE+KEY+. Make a key first.")
        signer = cls.of(*_parts(text.removeprefix(PRIVATE), secret=True))
        if str(signer) != text:
            raise BadSeal("This private key is damaged. Use another copy of the key.")
        return signer

    def sign(self, text: str) -> str:
        """Return the signature over `text` as written in a note: base64 of the key's id and 64 bytes."""
        return b64encode(self.key.id + _nacl().SigningKey(self.seed).sign(text.encode()).signature).decode()


def is_name(name: str) -> bool:
    """Return whether a key can have this name."""
    return bool(name) and name.isprintable() and "+" not in name and not any(map(str.isspace, name))


def _parts(text: str, secret: bool = False) -> tuple[str, bytes]:
    """Return the name and the 32 bytes of a written key.

    Raises:
        BadSeal: `text` is not a written key.
    """
    parts = text.split("+", 2)
    try:
        data = b64decode(parts[2].encode(), validate=True) if len(parts) == 3 and is_name(parts[0]) else b""
    except ValueError:
        data = b""
    if len(data) != 33 or data[:1] != _ED25519:
        if secret:
            raise BadSeal(
                "This is not an Ed25519 key of the form NAME+ID+BASE64. Copy the whole key from its file."
            )
        raise BadSeal(
            Message.of(
                '"{=text}" is not an Ed25519 key of the form NAME+ID+BASE64. Copy the whole '
                "key from its file.",
                text=text[:80],
            )
        )
    return parts[0], data[1:]


class Seal(Struct, frozen=True):
    """A seal: the sealed statement and the signature over it, verified or not.

    Attributes:
        time: Time of the signature, as RFC 3339.
        sig: The signature in base64; empty before signing.
    """

    id: str
    n: int
    head: str
    seat: str
    time: str
    key: Key
    sig: str = ""

    @property
    def text(self) -> str:
        """The signed text."""
        return (
            f"gamelog/1 {self.id}\n{self.n}\n{self.head}\nseat {self.seat}\ntime {self.time}\nkey "
            f"{self.key}\n"
        )

    def __str__(self) -> str:
        return f"{self.text}\n— {self.key.name} {self.sig}\n"

    @property
    def is_valid(self) -> bool:
        """Whether the signature is valid for the key in the seal.

        Raises:
            MissingExtra: PyNaCl is not installed.
        """
        return self.key.verify(self.text, self.sig)

    @classmethod
    def parse(cls, text: str) -> Seal:
        """Return the seal in `text`, without verifying its signature.

        Raises:
            BadSeal: `text` is not a seal.
        """
        match = _note.fullmatch(text)
        if match is None:
            raise BadSeal("This is not a seal, or an editor has changed it. Use the file as it was written.")
        given = match.groupdict()
        key = Key.parse(given["key"])
        seal = cls(
            given["id"], int(given["n"]), given["head"], given["seat"], given["time"], key, given["sig"]
        )
        if str(seal) != text:
            raise BadSeal(
                "The name in the seal's signature differs from the name of its key. Use the "
                "file as it was written."
            )
        return seal


def utc_time(started: str, t: int) -> str:
    """Return the time `t` ms after a header's `started`, in UTC.

    Raises:
        RecordError: The time is after the year 9999.
    """
    try:
        moment = datetime.fromisoformat(started) + timedelta(milliseconds=t)
    except OverflowError as error:
        raise RecordError(
            Message.of(
                "The time {=t} ms after {=started} is out of range: {=error}.",
                t=t,
                started=started,
                error=str(error),
            )
        ) from None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def unsigned_seal(header: Header, n: int, head: str, seat: str, t: int, key: Key) -> Seal:
    """Return the seal that a seat signs, without its signature.

    Args:
        header: The header of the record.
        n: The number of the last sealed event; 0 seals the header alone.
        head: The digest of the record up to event `n`. It is not checked.
        seat: The seat that signs.
        t: The time of the seal, in ms since the start.
        key: The public key of the seat.

    Raises:
        RecordError: The id or the seat has line ends, or the time is after the year 9999.
    """
    if not (header.id.isprintable() and seat.isprintable()):
        raise RecordError(
            "The record cannot be sealed, because its id or a seat contains line endings or other control "
            "characters."
        )
    return Seal(header.id, n, head, seat, utc_time(header.started, t), key)


def header_key(header: Header, seat: str) -> Key | None:
    """Return the key that the header names for `seat`, or None.

    Raises:
        BadSeal: The header's text is not a key.
    """
    given = next((person.key for person in header.seats if person.seat == seat), None)
    return Key.parse(given) if given else None


def write_keys(path: str | os.PathLike[str], signer: Signer) -> Path:
    """Write a private key to `path` and the public key next to it. Return the path of the public key.

    Only the owner can read the private key.

    Raises:
        Exists: One of the files exists.
        WriteFailed: The system refused a write.
    """
    public = Path(f"{os.fspath(path)}.pub")
    write_new(public, f"{signer.key}\n".encode())
    try:
        write_new(path, f"{signer}\n".encode(), mode=0o600)
    except BaseException:
        public.unlink()
        raise
    return public


def read_small_file(path: str | os.PathLike[str]) -> str:
    """Return the text of a small file: a key or a seal.

    Raises:
        NotReadable: The file cannot be read.
        BadSeal: The file is not text, or is too large.
    """
    check_regular_file(path)
    try:
        with open(path, "rb") as file:
            data = file.read(_MAX_SEAL + 1)
        text = data.decode()
    except OSError as error:
        raise NotReadable(
            Message.of(
                "Cannot read {=path}: {=error}. Check the file and your access to it, then try again.",
                path=str(path),
                error=error.strerror,
            )
        ) from None
    except UnicodeDecodeError:
        raise BadSeal(
            Message.of("{=path} is not a text file, so it is neither a key nor a seal.", path=str(path))
        ) from None
    if len(data) > _MAX_SEAL:
        raise BadSeal(Message.of("{=path} is too large for a key or a seal.", path=str(path)))
    return text
