"""The English of messages, pages and docs: phrases that people stumble over do not come back."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ("gamelog", "cli", "reports", "docs", "README.md", "CONTRIBUTING.md")
KINDS = (".py", ".md", ".json", ".sql", ".js", ".toml")

PHRASES = {
    "what is due is the": "the battle dice are due",
    "runs? back:": "time goes backwards",
    r"(?<![Tt]here )\bis no (?!longer|more|other|use|tie)[a-z]+": "is not a seal",
    r"(?<![Tt]here )\b(?<!where )is none\b(?! of\b| in\b| yet\b)": "is not one",
    "stands twice": "is listed twice",
    "hangs? together": "is connected",
    "who(ever)? is on turn": "the player to move",
    "takes territories out": "removes territories",
    "part of the dice": "share of the dice",
    "give or take": "margin",
}
"""What is not said, as a pattern, and what is said instead."""


def texts() -> list[Path]:
    """The files in which people read."""
    listed = subprocess.run(
        ["git", "ls-files", *PLACES], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    found = [ROOT / name for name in listed] or [
        file for place in PLACES for file in [ROOT / place, *(ROOT / place).rglob("*")]
    ]
    return [file for file in found if file.suffix in KINDS and file.is_file()]


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_that_people_stumble_over_is_not_written(phrase: str) -> None:
    pattern = re.compile(phrase)
    met = [
        f"{file.relative_to(ROOT)}:{n}: {line.strip()[:100]}"
        for file in texts()
        for n, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not met, f"write: {PHRASES[phrase]}\n" + "\n".join(met)


def test_the_patterns_find_what_they_are_for() -> None:
    said = (
        "X is no seal",
        "which is none",
        "the edge A-B stands twice",
        "there is no seal",
        "is no longer so",
    )
    matched = [[text for text in said if re.search(phrase, text)] for phrase in PHRASES]
    assert [found for found in matched if found] == [
        ["X is no seal"],
        ["which is none"],
        ["the edge A-B stands twice"],
    ]
