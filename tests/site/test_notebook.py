"""The notebook runs, and its cells show what the text describes."""

import importlib.util
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).parents[2]


def test_cells_run_and_a_replay_is_a_page_and_a_step_a_board() -> None:
    spec = importlib.util.spec_from_file_location("executed_notebook", ROOT / "website/executed_notebook.py")
    assert spec
    assert spec.loader
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    code: list[Any] = [cell for cell in hook.execute_notebook().cells if cell.cell_type == "code"]
    (page,) = code[0].outputs
    assert "<iframe" in page.data["text/html"]
    assert "<svg" not in page.data["text/html"].partition("srcdoc")[0]
    (board,) = code[1].outputs
    assert "<svg" in board.data["text/html"]
    assert "Rui claims F1." in board.data["text/html"]
    frames = [
        output
        for cell in code
        for output in cell.outputs
        if "dataframe" in output.get("data", {}).get("text/html", "")
    ]
    assert len(frames) == 2
    assert not [cell for cell in code if any(output.output_type == "error" for output in cell.outputs)]


def test_the_file_holds_no_outputs() -> None:
    """Outputs are made again for each site. In the file, they would be megabytes in every diff."""
    notebook = nbformat.read(ROOT / "docs/notebook.ipynb", as_version=4)
    assert not [cell for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")]
