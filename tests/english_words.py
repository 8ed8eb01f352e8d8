"""English that is left in a text of another language."""

from __future__ import annotations

import re
from itertools import pairwise

ENGLISH = re.compile(
    r"\b(the|is|are|not|of|and|or|to|has|have|with|one|in|on|it|by|only|at|be|been|that|this|from|does|must|"
    r"may|can|cannot|where|which|there|due|turn|his|its|so|more)\b(?<!-)"
)
"""Words of English that are none of Portuguese."""

NAMES = re.compile(
    r"gamelog [a-z]+( [a-z]+)?|pip install|by NOME|fix before|place yellow|(agree|result) Ana( draw)?|"
    r'--[a-z]+|[A-Z]{2,}|[a-z]+_[a-z]+|[a-z]+=[A-Z]+|"[a-z_]+"'
)
"""Commands, typed events, options and members, which are the same in every language."""


def english_in(text: str, english: str) -> list[str]:
    """Return the English in `text`, a translation: words of English, and pairs of words of `english`."""
    words, pairs = _words(text), {*_pairs(_words(english))}
    return [word for word in words if ENGLISH.fullmatch(word)] + [
        f"{one} {other}" for one, other in _pairs(words) if (one, other) in pairs
    ]


def _words(text: str) -> list[str]:
    """Return the words of `text` and the signs between them, a full stop for each name."""
    return re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*|\S", NAMES.sub(" . ", text).lower())


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    """Return all two words that follow each other, each of two letters at least."""
    return [
        (one, other) for one, other in pairwise(words) if len(one) > 1 < len(other) and len(one + other) > 6
    ]
