"""What the replay pages of a site share, in files beside them: style, script, the rest of the page.

The last is written in one language: the words, and every element that does not depend on the game. Files are
called after what is in them, so that pages of an earlier export, or in another language, keep theirs. They
are classic scripts: pages opened from a folder may load these, and no modules. Only the page's own few lines
may start a script, and they start these.
"""

from __future__ import annotations

import json
import os
from functools import cache
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from gamelog.record.atomic_files import write_atomically
from gamelog_reports import bundle
from gamelog_reports.templates import page_template, script_texts, texts

FOLDER = "shared"
"""Where the files are, in a site."""


class Shared(Struct, frozen=True):
    """The files of one language: names as seen from a page, the lines that start the scripts, contents."""

    style: str
    loader: str
    policy: str
    files: dict[str, str]

    def write(self, site: str | os.PathLike[str], within: Path | None = None) -> None:
        """Write into `site` the files that are not there yet, as `place` does. Raises `WriteFailed`."""
        for name, content in self.files.items():
            target = Path(site) / FOLDER / name
            if not target.is_file():
                write_atomically(target, content.encode(), within=within)


@cache
def shared(language: str, script: str, *styles: str) -> Shared:
    """The files of the pages in `language` that are made by the module `script` and look as `styles` say.

    Raises ValueError for a language there is none of.
    """
    told, code, looks = texts(language), bundle.script(script), bundle.style(*styles)
    parts = page_template("furniture").module
    markup = f"{parts.menu(told)}{parts.furniture(told, script_texts(language, code))}"  # type: ignore[attr-defined]  # its macros
    rest = f"{bundle.script('furniture')}addFurniture({json.dumps(markup, ensure_ascii=False)});"
    files = {
        _named("replay", "css", looks): looks,
        _named(f"replay-{language}", "js", rest): _alone(rest),
        _named("replay", "js", code): _alone(code),
    }
    style, *scripts = (f"../{FOLDER}/{name}" for name in files)
    loader = (
        f"for(const src of {json.dumps(scripts)})"
        "document.head.append(Object.assign(document.createElement('script'),{src,async:false,onerror(){missing.hidden=false}}))"
    )
    policy = (
        f"default-src 'none'; script-src 'strict-dynamic' '{bundle.csp_digest(loader)}'; style-src "
        "'self' file:"
    )
    return Shared(style, loader, f"{policy}; img-src data:; base-uri 'none'; form-action 'none'", files)


def _named(stem: str, ending: str, content: str) -> str:
    return f"{stem}-{sha256(content.encode()).hexdigest()[:8]}.{ending}"


def _alone(code: str) -> str:
    """`code` as a classic script that leaves nothing behind and is read as strictly as a module."""
    return f'(()=>{{"use strict";{code}}})();'
