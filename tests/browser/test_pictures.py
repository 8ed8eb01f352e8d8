"""A test that the pictures in the documentation show the pages as they are now."""

from __future__ import annotations

import pytest
from msgspec import structs
from playwright.sync_api import Browser

from tests.pictures import PICTURES, ROOT, difference, take

pytestmark = pytest.mark.browser

AT_MOST = 0.02
"""Share of the parts of a picture that may differ, for example where another font has longer words."""


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_shows_the_page_as_it_is_now(browser: Browser, name: str) -> None:
    now = take(browser, PICTURES[name])
    assert difference(browser, (ROOT / "docs" / name).read_bytes(), now) <= AT_MOST, (
        "make pictures, and look at them"
    )


def test_a_picture_of_another_event_is_noticed(browser: Browser) -> None:
    picture = PICTURES["replay.png"]
    near = structs.replace(picture, event=picture.event + 40)
    assert difference(browser, take(browser, picture), take(browser, near)) > AT_MOST
