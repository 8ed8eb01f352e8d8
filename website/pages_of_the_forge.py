"""The site has the pages that a forge shows at the repository's root, and links between them lead the same
way in both.

A page under docs/ leads to ``../CONTRIBUTING.md``, README.md to ``docs/games.md``; on the site the pages lie
side by side.
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
"""Where a page of the repository's root stands on the site."""

LINK = re.compile(r"\[([^\[\]]*)\]\(([^()\s#:]+)(#[^()\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages of the root, and the site's own style and icon."""
    for name, there in PAGES.items():
        files.append(File.generated(config, there, content=(ROOT / name).read_text(encoding="utf-8")))
    for name in ("site.css", "favicon.svg"):
        files.append(
            File.generated(config, name, content=(ROOT / "website" / name).read_text(encoding="utf-8"))
        )
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Leads links to where the pages stand on the site;
    one to a file that the site does not have becomes its words.
    """
    own = page.file.src_uri
    source = next((name for name, there in PAGES.items() if there == own), f"docs/{own}")

    def led(match: re.Match[str]) -> str:
        text, target, fragment = match[1], match[2], match[3] or ""
        at = os.path.normpath(os.path.join(os.path.dirname(source), target)).replace(os.sep, "/")
        if not (ROOT / at).exists():
            return match[0]  # nowhere, which the strict build tells
        at = PAGES.get(at) or (
            at.removeprefix("docs/").replace(".ipynb", ".md") if at.startswith("docs/") else ""
        )
        if not at:
            return (
                match[0] if target.endswith(".jsonl") else text
            )  # a file that the site does not have; records are live_replays'
        return f"[{text}]({os.path.relpath(at, os.path.dirname(own) or '.').replace(os.sep, '/')}{fragment})"

    return LINK.sub(led, markdown)
