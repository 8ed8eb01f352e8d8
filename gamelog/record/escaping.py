"""Escaping of text that people wrote, so that it cannot control a terminal or break a line."""

from __future__ import annotations

import re

INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters (line ends included), direction marks and brackets, and halves of surrogate pairs."""


def escape_invisible(text: str, keep: str = "") -> str:
    r"""Return `text` with each `INVISIBLE` character escaped as ``\x1b`` or ``\u202e``.

    Characters in `keep` (for example ``"\t\n"``) stay as they are.

    >>> print(escape_invisible("Ana\u2069\u202e"))
    Ana\u2069\u202e
    """
    return INVISIBLE.sub(lambda match: match[0] if match[0] in keep else _escape(ord(match[0])), text)


_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Letters of alphabets that are written from right to left."""

ISOLATED = re.compile("\u2068([^\u2066-\u2069]*)\u2069")
"""A value between the direction marks that `isolate` adds."""


def isolate(text: str) -> str:
    r"""Return `text` escaped, and isolated by direction marks if it contains right-to-left letters.

    >>> isolated("\u05d0")
    '\u2068\u05d0\u2069'
    """
    safe = escape_invisible(text)
    return f"\u2068{safe}\u2069" if _RIGHT_TO_LEFT.search(safe) else safe


def escape_keeping_isolates(text: str) -> str:
    """Return `text` escaped like `escape_invisible`, but keep the direction marks that `isolate` added."""
    parts = ISOLATED.split(text)
    shown = (
        f"\u2068{escape_invisible(part)}\u2069" if at % 2 else escape_invisible(part)
        for at, part in enumerate(parts)
    )
    return "".join(shown)


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def shorten(text: str, width: int = 60) -> str:
    """Return `text` escaped on one line and cut to `width` characters."""
    line = escape_invisible(" ".join(text.split()))
    return line if len(line) <= width else f"{line[: width - 1]}…"


def differing_excerpts(one: str, two: str, width: int = 80) -> tuple[str, str]:
    """Return excerpts of two different texts, escaped and cut to `width`, that show the first difference.

    >>> differing_excerpts("on the same board " * 9 + "in red", "on the same board " * 9 + "in blue", 20)
    ('… board in red', '… board in blue')
    """
    same = next(
        (at for at, (x, y) in enumerate(zip(one, two, strict=False)) if x != y), min(len(one), len(two))
    )
    start = 0 if same < width * 3 // 4 else same - width // 2
    return _window(one, start, width), _window(two, start, width)


def _window(text: str, start: int, width: int) -> str:
    end = start + width
    return f"{'…' if start else ''}{escape_invisible(text[start:end])}{'…' if len(text) > end else ''}"
