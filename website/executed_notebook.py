"""docs/notebook.ipynb as a page: its cells are run when the site is built,
and what they show stands below them.
"""

import html
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"

_outputs: list[str] = []
"""What the cells show, as HTML: put into the page when its Markdown has been turned into HTML."""


def executed(path: Path = NOTEBOOK) -> Any:
    """The notebook, run from its first cell to its last in a folder with the sample games.
    Raises where a cell does.
    """
    notebook = nbformat.read(path, as_version=4)
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "sample_games", Path(folder, "sample_games"))
        resources = {"metadata": {"path": folder}}
        quiet = [
            "--IPKernelApp.log_level=ERROR"
        ]  # it warns that its ports, on this machine alone, are not encrypted
        return NotebookClient(notebook, timeout=120, resources=resources, extra_arguments=quiet).execute()


def shown(output: Any) -> str:
    """One output of a cell as HTML."""
    if output.output_type == "stream":
        return f'<pre class="output">{html.escape(output.text)}</pre>'
    if "text/html" in output.data:
        return f'<div class="output">{output.data["text/html"]}</div>'
    return f'<pre class="output">{html.escape(output.data["text/plain"])}</pre>'


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the page of the executed notebook, and leaves the notebook itself to be downloaded."""
    _outputs.clear()
    parts = []
    for cell in executed().cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for output in cell.outputs:
            parts.append(f'<div id="output-{len(_outputs)}"></div>')
            _outputs.append(shown(output))
    files.append(File.generated(config, "notebook.md", content="\n\n".join(parts) + "\n"))
    return files


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Puts what the cells show into their page."""
    if page.file.src_uri == "notebook.md":
        for at, output in enumerate(_outputs):
            html = html.replace(f'<div id="output-{at}"></div>', output)
    return html
