"""Show docs/notebook.ipynb as a page with the outputs of its cells, which run when the site is built."""

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
"""Outputs of the cells as HTML. They are put into the page after its Markdown has become HTML."""


def execute_notebook(path: Path = NOTEBOOK) -> Any:
    """Return the notebook after running all cells in a folder with the sample games.

    Raises:
        CellExecutionError: A cell raised an error.
    """
    notebook = nbformat.read(path, as_version=4)
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "sample_games", Path(folder, "sample_games"))
        resources = {"metadata": {"path": folder}}
        # The kernel warns that its ports are not encrypted. They are open to this machine only.
        quiet = ["--IPKernelApp.log_level=ERROR"]
        return NotebookClient(notebook, timeout=120, resources=resources, extra_arguments=quiet).execute()


def output_html(output: Any) -> str:
    """Return one output of a cell as HTML."""
    if output.output_type == "stream":
        return f'<pre class="output">{html.escape(output.text)}</pre>'
    if "text/html" in output.data:
        return f'<div class="output">{output.data["text/html"]}</div>'
    return f'<pre class="output">{html.escape(output.data["text/plain"])}</pre>'


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of the executed notebook. The notebook itself stays on the site as a download."""
    _outputs.clear()
    parts = []
    for cell in execute_notebook().cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for output in cell.outputs:
            parts.append(f'<div id="output-{len(_outputs)}"></div>')
            _outputs.append(output_html(output))
    files.append(File.generated(config, "notebook.md", content="\n\n".join(parts) + "\n"))
    return files


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put the outputs of the cells into their page."""
    if page.file.src_uri == "notebook.md":
        for at, output in enumerate(_outputs):
            html = html.replace(f'<div id="output-{at}"></div>', output)
    return html
