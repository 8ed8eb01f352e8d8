"""Files with seals and public keys. Errors name the file."""

from __future__ import annotations

from pathlib import Path

from gamelog.errors import BadSeal
from gamelog.message import Message
from gamelog.record.seal import Key, Seal, read_small_file


def read_seal(path: Path) -> Seal:
    """Return the seal in a file.

    Raises:
        BadSeal: The file is not a seal. The message names the file.
        NotReadable: The file cannot be read.
    """
    try:
        return Seal.parse(read_small_file(path))
    except BadSeal as error:
        raise _in_file(path, error) from None


def read_key(path: Path) -> Key:
    """Return the public key in a file.

    Raises:
        BadSeal: The file is not a public key. The message names the file.
        NotReadable: The file cannot be read.
    """
    try:
        return Key.parse(read_small_file(path))
    except BadSeal as error:
        raise _in_file(path, error) from None


def _in_file(path: Path, error: BadSeal) -> BadSeal:
    """Return `error` with the name of the file."""
    return BadSeal(Message.of("{=path}: {problem}", path=path, problem=error.message))
