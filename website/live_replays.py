"""Show sample records on the site as replays.

A link to a sample record that is alone on its line becomes a frame with the replay. Any other link leads to
the replay's page. On a forge the link leads to the record: ``[Ana against
Rui](../sample_games/slicewars/takeback.jsonl#n=101)``.
"""

import html
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

import gamelog

ROOT = Path(__file__).parent.parent
RECORD = r"\[([^\[\]]+)\]\((?:\.\./)*sample_games/(\w+)/([\w-]+)\.jsonl(?:#n=(\d+))?\)"


def page_of(game: str, name: str) -> str:
    """Return the address of a sample record's replay page on the site."""
    return f"replays/{game}-{name}.html"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of each sample record that a page links to."""
    named: set[tuple[str, str]] = set()
    for file in files.documentation_pages():
        named |= {(game, name) for _, game, name, _ in re.findall(RECORD, file.content_string)}
    for game, name in sorted(named):
        replay = gamelog.read(ROOT / "sample_games" / game / f"{name}.jsonl")
        files.append(File.generated(config, page_of(game, name), content=gamelog.html(replay)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace links to records by frames and addresses."""

    def address(match: re.Match[str]) -> str:
        return get_relative_url(page_of(match[2], match[3]), page.url)

    def frame(match: re.Match[str]) -> str:
        at, there, title = f"&n={match[4]}" if match[4] else "", address(match), html.escape(match[1])
        whole = f"{there}#n={match[4]}" if match[4] else there
        return (
            f'<figure class="replay"><iframe src="{there}#embed{html.escape(at)}" title="{title}" '
            'loading="lazy"></iframe>'
            f'<figcaption>{title}. <a href="{whole}">Open the page</a></figcaption></figure>'
        )

    def link(match: re.Match[str]) -> str:
        whole = f"{address(match)}#n={match[4]}" if match[4] else address(match)
        return f'<a href="{whole}">{html.escape(match[1])}</a>'

    return re.sub(RECORD, link, re.sub(f"^{RECORD}$", frame, markdown, flags=re.MULTILINE))
