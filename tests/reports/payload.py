"""A reader of the data in a page, written from the documented format and not from the code."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from itertools import accumulate
from pathlib import Path
from typing import Any

PAGE_DATA = re.compile(
    r'(<script type="application/octet-stream" id="page_data">)(.*?)(</script>)', re.DOTALL
)
STAGE = re.compile(r'(<script type="application/octet-stream" id="stage">)(.*?)(</script>)', re.DOTALL)


SCRIPT = re.compile(r'(<script type="application/octet-stream" id="script">)(.*?)(</script>)', re.DOTALL)
STYLE = re.compile(r'<style id="style">(.*?)</style>', re.DOTALL)
LOADER = re.compile(r'<script type="module" id="loader">(.*?)</script>', re.DOTALL)
PAGE_FRAME = re.compile(r"addPageFrame\(`(.*?)`\);\}", re.DOTALL)


def page_data(html: str, part: re.Pattern[str] = PAGE_DATA) -> dict[str, Any]:
    """Return the data in a replay page: of the record, or of its game (`STAGE`)."""
    told: dict[str, Any] = json.loads(
        unpack(html, PAGE_DATA, unpack(html, STAGE)) if part is PAGE_DATA else unpack(html, part)
    )
    return told


SHARED_STAGE = re.compile(r"/(stage-[0-9a-f]{8}\.js)")


def site_page(path: Path) -> str:
    """Return a replay page of a site, with the data of its game, which is in a shared file."""
    html = path.read_text()
    name = SHARED_STAGE.search(html)
    if name is None:
        return html
    script = (path.parent.parent / "shared" / name[1]).read_text()
    data = re.search("textContent:'(.*?)'", script)
    assert data
    return f'{html}<script type="application/octet-stream" id="stage">{data[1]}</script>'


GAMES = re.compile(r'(<script type="application/octet-stream" id="games">)(.*?)(</script>)', re.DOTALL)
ROW = (
    "started", "game", "href", "title", "names", "event", "round", "tags", "file", "winners", "reason", "points",
    "events", "status", "problem", "players", "victors", "copy", "details",
)  # fmt: skip
"""The members of a game in the index of a site, in their order."""


def listed_games(html: str) -> list[dict[str, Any]]:
    """Return the games in the index of a site."""
    return [dict(zip(ROW, row, strict=True)) for row in json.loads(unpack(html, GAMES))]


def unpack(html: str, part: re.Pattern[str], known: bytes = b"") -> bytes:
    """Return the unpacked text of a part of a page. `known` is the dictionary."""
    found = part.search(html)
    assert found
    return zlib.decompressobj(-15, zdict=known).decompress(b64decode(found[2]))


def script(html: str) -> str:
    """Return the unpacked script of a page, or an empty text."""
    style, loader = STYLE.search(html), LOADER.search(html)
    if style is None or loader is None or SCRIPT.search(html) is None:
        return ""
    return unpack(html, SCRIPT, f"{style[1]}{loader[1]}".encode()).decode()


def page_frame(html: str) -> str:
    """Return the parts that the script of a page adds below the heading, or an empty text."""
    added = PAGE_FRAME.search(script(html))
    return re.sub(r"\\(.)", r"\1", added[1]) if added else ""


def bare(html: str) -> bytes:
    """Return a page without the data of its record and its game."""
    return STAGE.sub(r"\1\3", PAGE_DATA.sub(r"\1\3", html)).encode()


def numbers(text: str) -> list[int]:
    """Return the whole numbers of a column. Digits below 46 end a number, others continue it in base 45."""
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
    """Return the lines of a table. The tokens of the page's `stage` come first, if there is one."""
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
