"""A test that no part of a replay page moves while it shows the steps."""

from __future__ import annotations

import pytest

from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.browser.conftest import Open
from tests.browser.shifts import WATCH, walked
from tests.samples.__main__ import DIRECTORY

pytestmark = pytest.mark.browser


def test_no_part_of_the_page_shifts_over_the_steps(open_page: Open) -> None:
    """Cards of four players wrap at this size. The dice of a contest and of the end differ in height."""
    folded = fold_record(read_record(DIRECTORY / "slicewars" / "full-4.jsonl"))
    page = open_page(folded, width=1024, height=768)
    page.add_init_script(WATCH)
    page.reload()
    page.wait_for_selector("html.ready")
    assert walked(page, 1, 25).shifts == []
    assert walked(page, 1190).shifts == []
