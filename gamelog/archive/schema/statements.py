"""SQL statements from files.

A file has several statements. Before each of them are a line with its name and at least one line that
describes it::

    -- @origins
    -- For each record, the first record of the same game.
    CREATE TEMP TABLE origins AS SELECT … FROM (@{weighed})

``@{weighed}`` stands for the statement of that name, or for a text that the program gives.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

_HEAD = re.compile(r"^-- @(\w+)\n(?:-- .*\n)*", re.MULTILINE)
_USE = re.compile(r"@\{(\w+)\}")


class Statements:
    """The statements of some files by name."""

    def __init__(self, package: str, *names: str) -> None:
        """Read the files with these `names` in `package`."""
        self._texts: dict[str, str] = {}
        for name in names:
            _, *parts = _HEAD.split(files(package).joinpath(name).read_text("utf-8"))
            self._texts |= {key: text.strip("\n") for key, text in zip(parts[::2], parts[1::2], strict=True)}

    def text(self, name: str, **given: str) -> str:
        """Return the statement `name`, with the `given` texts and other statements in their places.

        Raises:
            KeyError: There is no statement or text of a name.
        """
        return self._fill(self._texts[name], given)

    def _fill(self, text: str, given: Mapping[str, str]) -> str:
        """Return `text` with everything in its places."""
        parts = {**self._texts, **given}
        return _USE.sub(lambda use: self._fill(parts[use[1]], given), text)
