"""Reads back what a page carries, written from the documents of the format rather than from its code."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b85decode
from itertools import accumulate
from typing import Any

PAGE_DATA = re.compile(
    r'(<script type="application/octet-stream" id="page_data">)(.*?)(</script>)', re.DOTALL
)
STAGE = re.compile(r'(<script type="application/octet-stream" id="stage">)(.*?)(</script>)', re.DOTALL)


def page_data(html: str, part: re.Pattern[str] = PAGE_DATA) -> dict[str, Any]:
    """The data in a replay page: of the record, or of its game (`STAGE`)."""
    told: dict[str, Any] = json.loads(
        inflated(html, PAGE_DATA, inflated(html, STAGE)) if part is PAGE_DATA else inflated(html, part)
    )
    return told


def inflated(html: str, part: re.Pattern[str], known: bytes = b"") -> bytes:
    """What is packed into a part of a page, with the dictionary that it was packed with."""
    found = part.search(html)
    assert found
    return zlib.decompressobj(-15, zdict=known).decompress(b85decode(found[2].replace(",", "<")))


def bare(html: str) -> bytes:
    """A page without what it tells of its record and its game."""
    return STAGE.sub(r"\1\3", PAGE_DATA.sub(r"\1\3", html)).encode()


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


def lines(plain: dict[str, Any], name: str, stage: dict[str, Any] | None = None) -> list[str]:
    """The lines of a table; the tokens of the page's `stage`, if there is one, come before its own."""
    table = plain["tables"][name]
    told = [token for part in (stage, plain) if part for token in part["tokens"].split("\x7f")[:-1]]
    tokens = [token[1:] if token.startswith("\x80") else f'"{token}"' for token in told]

    def values(column: str) -> list[str]:
        kind, found = column[0], numbers(column[1:])
        if kind in "jr":
            found = list(accumulate(-(step + 1) // 2 if step & 1 else step // 2 for step in found))
        if kind in "ij":
            return [str(value) for value in found]
        if kind in "sr":
            return [tokens[value] for value in found]
        out = []
        while found:
            count, found = found[0], found[1:]
            out.append("[" + ",".join(map(str, found[:count])) + "]")
            found = found[count:]
        return out

    columns = [[iter(values(column)) for column in shape] for shape in table["columns"]]
    times, clock, out = iter(numbers(table["times"])), 0, []
    for at, shape in enumerate(numbers(table["order"]), 1):
        holes = iter(columns[shape])
        line = ""
        for letter in table["shapes"][shape]:
            if letter == "\x81":
                line += next(next(holes))
            elif letter == "\x82":
                line += str(at)
            elif letter == "\x83":
                clock += next(times)
                line += str(clock)
            else:
                line += letter
        out.append(line)
    return out
