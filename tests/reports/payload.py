"""Reads back what a page carries, written from the documents of the format rather than from its code."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b85decode
from typing import Any

STORY = re.compile(r'(<script type="application/octet-stream" id="story">)(.*?)(</script>)', re.DOTALL)


def story(html: str) -> dict[str, Any]:
    """The data in a replay page."""
    found = STORY.search(html)
    assert found
    told: dict[str, Any] = json.loads(zlib.decompress(b85decode(found[2].replace(",", "<")), -15))
    return told


def numbers(text: str) -> list[int]:
    """Whole numbers out of a column's text: digits below 46 end a number, others carry on by 45."""
    out: list[int] = []
    low: list[int] = []
    for letter in text:
        digit = ord(letter) - 35 - (ord(letter) > 92)
        if digit >= 46:
            low.append(digit)
            continue
        for more in reversed(low):
            digit = digit * 45 + more
        out.append(digit)
        low.clear()
    return out
