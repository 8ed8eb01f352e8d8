"""Text that people wrote, safe to show: what steers a terminal or turns a line is written out."""

from __future__ import annotations

import re

INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls of both sets, line ends among them, marks and brackets of direction,
and halves of surrogate pairs.
"""


def visible(text: str, keep: str = "") -> str:
    r"""`text` with every character of `INVISIBLE` as ``\x1b`` or ``\u202e``, but for those in `keep`
    (``"\t\n"``, say).

    >>> print(visible("Ana\u2069\u202e"))
    Ana\u2069\u202e
    """
    return INVISIBLE.sub(lambda match: match[0] if match[0] in keep else _escaped(ord(match[0])), text)


def _escaped(code: int) -> str:
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def brief(text: str, width: int = 60) -> str:
    """`text` on one line, safe to show, and cut to `width` characters."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= width else f"{line[: width - 1]}…"


def apart(one: str, two: str, width: int = 80) -> tuple[str, str]:
    """Two texts that differ, safe to show, each cut to `width` characters with the first that differs.

    >>> apart("on the same board " * 9 + "in red", "on the same board " * 9 + "in blue", 20)
    ('… board in red', '… board in blue')
    """
    same = next(
        (at for at, (x, y) in enumerate(zip(one, two, strict=False)) if x != y), min(len(one), len(two))
    )
    start = 0 if same < width * 3 // 4 else same - width // 2
    return _window(one, start, width), _window(two, start, width)


def _window(text: str, start: int, width: int) -> str:
    end = start + width
    return f"{'…' if start else ''}{visible(text[start:end])}{'…' if len(text) > end else ''}"
