"""Add the pages of the repository's root to the site, and adapt the links between pages.

A page under docs/ links to ``../CONTRIBUTING.md``, and README.md links to ``docs/games.md``. On the site all
these pages are in one folder.
"""

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent

PAGES = {
    "README.md": "tour.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
    "CHANGELOG.md": "changelog.md",
}
"""Names on the site of the pages of the repository's root."""

LINK = re.compile(r"\[([^\[\]]*)\]\(([^()\s#:]+)(#[^()\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the root, and the site's own style, icon and script."""
    for name, there in PAGES.items():
        files.append(File.generated(config, there, content=(ROOT / name).read_text(encoding="utf-8")))
    for name in ("site.css", "favicon.svg", "iframe-worker.js"):
        files.append(
            File.generated(config, name, content=(ROOT / "website" / name).read_text(encoding="utf-8"))
        )
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Adapt the links of a page to the site. A link to a file that is not on the site becomes plain text."""
    own = page.file.src_uri
    source = next((name for name, there in PAGES.items() if there == own), f"docs/{own}")

    def adapt(match: re.Match[str]) -> str:
        text, target, fragment = match[1], match[2], match[3] or ""
        at = os.path.normpath(os.path.join(os.path.dirname(source), target)).replace(os.sep, "/")
        if not (ROOT / at).exists():
            return match[0]  # the strict build reports it
        at = PAGES.get(at) or (
            at.removeprefix("docs/").replace(".ipynb", ".md") if at.startswith("docs/") else ""
        )
        if not at:
            return match[0] if target.endswith(".jsonl") else text  # live_replays.py handles links to records
        return f"[{text}]({os.path.relpath(at, os.path.dirname(own) or '.').replace(os.sep, '/')}{fragment})"

    return LINK.sub(adapt, markdown)
