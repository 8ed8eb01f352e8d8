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


RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters of alphabets that are written from right to left."""

ISOLATED = re.compile("\u2068([^\u2066-\u2069]*)\u2069")
"""What `isolated` gives: a value between the marks that keep its direction to itself."""


def isolated(text: str) -> str:
    r"""`text`, safe to show; with right-to-left letters between marks that keep its direction to itself.

    >>> isolated("\u05d0")
    '\u2068\u05d0\u2069'
    """
    safe = visible(text)
    return f"\u2068{safe}\u2069" if RIGHT_TO_LEFT.search(safe) else safe


def visible_with_isolates(text: str) -> str:
    """`text` as `visible` gives it, but for the marks round values that `isolated` has set."""
    parts = ISOLATED.split(text)
    shown = (f"\u2068{visible(part)}\u2069" if at % 2 else visible(part) for at, part in enumerate(parts))
    return "".join(shown)


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
