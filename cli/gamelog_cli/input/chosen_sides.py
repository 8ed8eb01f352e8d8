"""Choices between two score sheets: the side that counts for each difference."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from gamelog.dispute.alignment import Side
from gamelog.errors import NotReadable
from gamelog.message import Message
from gamelog_cli.errors import Misread

_LINE = re.compile(r"(\d{1,9})\s+(a|b)")


def chosen_sides(path: Path | None, prefer: Side | None, differences: int) -> list[Side]:
    """Return the side that counts for each of the `differences`.

    Args:
        path: A file with lines such as ``2 b``; # begins a comment.
        prefer: The side for all differences that the file does not decide.
        differences: The number of differences.

    Raises:
        Misread: A line is not a choice, a number is not a difference or is decided twice, or a difference is
            not decided.
        NotReadable: The file cannot be read.
    """
    typed: dict[int, Side] = _read_choices(path) if path else {}
    beyond = next((number for number in typed if not 1 <= number <= differences), None)
    if beyond is not None:
        raise Misread(
            Message.of(
                "{=path} decides difference {=number}, but the sheets have only {=count}.",
                path=str(path),
                number=beyond,
                count=differences,
            )
        )
    sides: list[Side] = []
    for number in range(1, differences + 1):
        if number in typed:
            sides.append(typed[number])
        elif prefer:
            sides.append(prefer)
        else:
            text = (
                "Difference {=number} of {=count} is not decided. Decide it with --choose FILE, or decide "
                "all others with --prefer."
            )
            if path:
                text = (
                    'Difference {=number} of {=count} is not decided. Add a line "{=number} a" or '
                    '"{=number} b" to {=path}, or decide all others with --prefer.'
                )
            raise Misread(Message.of(text, number=number, count=differences, path=str(path)))
    return sides


def numbers_text(numbers: Sequence[int]) -> str:
    """Return ascending numbers in words: ``1, 3 to 5``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join(" to ".join(map(str, run)) for run in runs)


def _read_choices(path: Path) -> dict[int, Side]:
    """Return the choices in a text file or on standard input, by the number of the difference.

    Raises:
        NotReadable: The file cannot be read.
        Misread: A line is not a choice, or decides a difference twice.
    """
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotReadable(
            Message.of(
                "Cannot read {=path}: {=error}. Check the file and your access to it, then try again.",
                path=str(path),
                error=str(error),
            )
        ) from None
    sides: dict[int, Side] = {}
    for line_number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        match = _LINE.fullmatch(words)
        if not match:
            raise Misread(
                Message.of(
                    '{=path}, line {=line}: "{=words}" is not a choice. Write the number of a difference and '
                    "a or b, for example: 2 b",
                    path=str(path),
                    line=line_number,
                    words=words[:40],
                )
            )
        number = int(match[1])
        if number in sides:
            text = "{=path}, line {=line}: difference {=number} is decided twice."
            raise Misread(Message.of(text, path=str(path), line=line_number, number=number))
        sides[number] = "a" if match[2] == "a" else "b"
    return sides
