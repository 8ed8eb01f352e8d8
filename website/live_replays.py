"""A link to a sample record, alone on its line, is on the site the replay itself, in a frame; elsewhere it
leads to its page.

On a forge the link leads to the record: ``[Ana against
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
    """The address of the replay page of a sample record on the site."""
    return f"replays/{game}-{name}.html"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the page of each sample record that some page leads to."""
    named: set[tuple[str, str]] = set()
    for file in files.documentation_pages():
        named |= {(game, name) for _, game, name, _ in re.findall(RECORD, file.content_string)}
    for game, name in sorted(named):
        replay = gamelog.read(ROOT / "sample_games" / game / f"{name}.jsonl")
        files.append(File.generated(config, page_of(game, name), content=gamelog.html(replay)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Puts frames and addresses in place of links to records."""

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
