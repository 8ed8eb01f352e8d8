"""Replay pages that lie beside a report, and how it leads to them."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from urllib.parse import quote

from gamelog_reports.site import GAMES_FOLDER, page_name


class Pages:
    """The pages of the site in the folder `site`, as seen from the folder `home` in which the report lies.

    A page is found by its name, which comes from the path of its record. It is not opened: a page of
    another record of the same name would be taken for it.
    """

    def __init__(self, site: Path | None, home: Path) -> None:
        self._prefix = ""
        self._names: frozenset[str] = frozenset()
        if site is not None and (folder := site / GAMES_FOLDER).is_dir():
            self._names = frozenset(path.name for path in folder.glob("*.html"))
            self._prefix = quote(Path(os.path.relpath(folder, home)).as_posix())

    def __len__(self) -> int:
        return len(self._names)

    def href(self, path: str, member: str = "", n: int | None = None) -> str:
        """The address of a record's page (its file, or pack and name) at event `n`; empty without one."""
        parts = PurePath(member or path).parts
        for first in range(len(parts)):  # the longest name is the surest
            name = page_name("/".join(parts[first:]))
            if name in self._names:
                return f"{self._prefix}/{quote(name)}{f'#n={n}' if n else ''}"
        return ""
