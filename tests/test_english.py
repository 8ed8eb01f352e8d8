"""The English of messages, pages and docs: each thing has one name, and phrases that readers stumble over do not return."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ("gamelog", "gamelog_front", "cli", "reports", "docs", "README.md", "CONTRIBUTING.md")
KINDS = (".py", ".md", ".json", ".sql", ".js", ".toml")
GLOSSARY = ROOT / "docs" / "glossary.md"

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
"""Patterns of phrases that are not used, each with an example of what to write."""


def second_words(glossary: str) -> dict[str, str]:
    """Return a pattern for each second word that an entry of the glossary excludes, with the word to use."""
    found: dict[str, str] = {}
    entry = re.compile(r"^- \*\*(.+?)\*\*: (?:.|\n  )*?\*Not: ((?:.|\n  )+?)\.\*$", re.MULTILINE)
    for word, others in entry.findall(glossary):
        for other in " ".join(others.split()).split(", "):
            found[rf"(?i)\b{re.escape(other)}(?:e?s)?\b"] = word
    return found


NOT_WRITTEN = {**PHRASES, **second_words(GLOSSARY.read_text("utf-8"))}
"""Phrases and second words, each with the words to use."""


def texts() -> list[Path]:
    """Return the files that people read."""
    listed = subprocess.run(
        ["git", "ls-files", *PLACES], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    found = [ROOT / name for name in listed] or [
        file for place in PLACES for file in [ROOT / place, *(ROOT / place).rglob("*")]
    ]
    return [file for file in found if file.suffix in KINDS and file.is_file() and file != GLOSSARY]


@pytest.mark.parametrize("phrase", NOT_WRITTEN)
def test_a_phrase_or_second_word_is_not_written(phrase: str) -> None:
    pattern = re.compile(phrase)
    met = [
        f"{file.relative_to(ROOT)}:{n}: {line.strip()[:100]}"
        for file in texts()
        for n, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not met, f"write: {NOT_WRITTEN[phrase]}\n" + "\n".join(met)


def test_the_glossary_excludes_second_words() -> None:
    found = second_words(GLOSSARY.read_text("utf-8"))
    assert len(found) >= 15
    assert {"arbiter", "takeback", "stock question"} <= {*found.values()}
    pattern = next(pattern for pattern, word in found.items() if word == "arbiter")
    assert re.search(pattern, "Ask the Umpires.")
    assert second_words("- **seat**: A place at the table. *Not: chair,\n  box.*\n") == {
        r"(?i)\bchair(?:e?s)?\b": "seat",
        r"(?i)\bbox(?:e?s)?\b": "seat",
    }


def test_the_patterns_find_their_examples() -> None:
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
