"""The files that the replay pages of a site share: style, script, and the same parts of all pages.

The index has a file here, too: the small boards, which it loads if the reader asks for them. Style, script
and parts of replay pages do not depend on the game and are in one language. Records of one game on one board
also share the data of this game. File names contain a digest of the content, so that pages of an earlier
export or in another language keep their files. The scripts are classic scripts,
because browsers load no modules into pages that are opened from a folder. Only the page's own few lines can
start a script, and they start these files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from gamelog.record.atomic_files import write_atomically
from gamelog_reports import bundle
from gamelog_reports.packed import embedded_text
from gamelog_reports.templates import page_frame

if TYPE_CHECKING:
    from gamelog_reports.board_thumbnail import Thumbnail

_FOLDER = "shared"
"""The folder of the files in a site."""

_BOARDS = "boards.js"
"""The file of the small boards of the index."""


class SharedFiles(Struct, frozen=True):
    """The files that some pages of one language share.

    Attributes:
        style: Address of the style.
        scripts: Addresses of the scripts, in the order in which they run.
        files: Contents by file name.
    """

    style: str
    scripts: tuple[str, ...]
    files: dict[str, str]

    def with_data(self, id: str, packed: str) -> SharedFiles:
        """Return these files and one more, which adds an element `id` with `packed` data to the page."""
        content = (
            "document.head.append(Object.assign(document.createElement('script'),"
            f"{{type:'application/octet-stream',id:'{id}',textContent:'{packed}'}}))"
        )
        name = _file_name(id, "js", content)
        return SharedFiles(self.style, (_address(name), *self.scripts), {**self.files, name: content})

    @property
    def loader(self) -> str:
        """The script that loads the other scripts."""
        return (
            f"for(const src of {json.dumps(self.scripts)})"
            "document.head.append(Object.assign(document.createElement('script'),{src,async:false,onerror(){missing.hidden=false}}))"
        )

    @property
    def policy(self) -> str:
        """The content security policy of the pages."""
        return (
            f"default-src 'none'; script-src 'strict-dynamic' '{bundle.csp_digest(self.loader)}'; "
            "style-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'"
        )

    def write(self, site: str | os.PathLike[str], within: Path | None = None) -> None:
        """Write the files that `site` does not have yet.

        Raises:
            WriteFailed: A file cannot be written.
        """
        for name, content in self.files.items():
            target = Path(site) / _FOLDER / name
            if not target.is_file():
                write_atomically(target, content.encode(), within=within)


@cache
def shared_files(language: str, script: str, *styles: str) -> SharedFiles:
    """Return the files of all pages in `language` with the module `script` and the style sheets `styles`.

    Raises:
        ValueError: Pages do not have the language.
    """
    code, looks, rest = bundle.script(script), bundle.style(*styles), page_frame(language, script)
    files = {
        _file_name("replay", "css", looks): looks,
        _file_name(f"replay-{language}", "js", rest): _classic_script(rest),
        _file_name("replay", "js", code): _classic_script(code),
    }
    style, *scripts = map(_address, files)
    return SharedFiles(style, tuple(scripts), files)


def write_boards(thumbnails: Sequence[Thumbnail | None], site: Path) -> str:
    """Write the pictures of the games of a site into one script, and return its address with a digest.

    The address is empty if there are no pictures.

    Raises:
        WriteFailed: The file cannot be written.
    """
    boards: dict[str, int] = {}
    games = [
        (boards.setdefault(thumbnail.board, len(boards)), msgspec.Raw(thumbnail.position.encode()))
        if thumbnail
        else None
        for thumbnail in thumbnails
    ]
    if not boards:
        return ""
    pictures = {"boards": [msgspec.Raw(board.encode()) for board in boards], "games": games}
    packed = embedded_text(msgspec.json.encode(pictures))
    content = f'document.dispatchEvent(new CustomEvent("boards",{{detail:"{packed}"}}));'
    write_atomically(site / _FOLDER / _BOARDS, content.encode())
    return f"{_FOLDER}/{_BOARDS}?{sha256(content.encode()).hexdigest()[:8]}"


def _address(name: str) -> str:
    """Return the address of a shared file, as seen from a replay page."""
    return f"../{_FOLDER}/{name}"


def _file_name(stem: str, ending: str, content: str) -> str:
    return f"{stem}-{sha256(content.encode()).hexdigest()[:8]}.{ending}"


def _classic_script(code: str) -> str:
    """Return `code` as a classic script in strict mode that defines no global names."""
    return f'(()=>{{"use strict";{code}}})();'
