"""The server speaks to people in their language, and to programs in English."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gamelog_table.speaking import spoken

from gamelog.play.contract.translation import Translation
from gamelog.play.judging.replay import replay
from gamelog.record.reading import read_record
from tests.table.client import Serving

PACKAGE = Path(__file__).parents[2] / "cli/gamelog_table"

STAYS = {"reason", "text"}
"""What is given on, and is found where it was made."""


def sentences() -> Iterator[str]:
    """What the server itself says no with: of each sentence an example."""
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Denied", "Conflict"):
                at = 2 if getattr(node.func, "id", "") == "Denied" else 0
                if ast.unparse(node.args[at]) not in STAYS and "moved" not in ast.unparse(node.args[at]):
                    yield example(node.args[at])
            elif isinstance(node, ast.Return) and path.name == "permissions.py" and node.value is not None:
                kinds = (ast.Constant, ast.JoinedStr)
                yield from (example(one) for one in texts(node.value, kinds))
            elif (
                isinstance(node, ast.Assign)
                and ast.unparse(node.targets[0]) == "text"
                and "nothing was" in ast.unparse(node)
            ):
                yield example(node.value)


def texts(node: ast.expr, kinds: tuple[type[ast.expr], ...]) -> Iterator[ast.expr]:
    """The texts that an expression may give."""
    if isinstance(node, ast.IfExp):
        yield from texts(node.body, kinds)
        yield from texts(node.orelse, kinds)
    elif isinstance(node, ast.Constant | ast.JoinedStr) and not (
        isinstance(node, ast.Constant) and node.value is None
    ):
        yield node


def example(node: ast.expr) -> str:
    """A text with something in each of its places."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    assert isinstance(node, ast.JoinedStr), ast.unparse(node)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)


def test_every_sentence_of_the_servers_own_is_there_in_portuguese() -> None:
    said = set(sentences())
    assert len(said) > 30
    assert {text for text in said if spoken(text, "pt") == text} == set()
    assert all(spoken(text, "en") == text for text in said)


def test_a_game_that_fails_at_its_own_words_is_spoken_of_all_the_same(record: Path) -> None:
    def translation(language: str) -> Translation:
        raise KeyError(language)

    fold = replay(read_record(record)).fold
    assert fold is not None
    fold.game = replace(fold.game, translation=translation)
    assert spoken("No roll is due.", "pt", fold) == "Não há lançamento a fazer."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt-PT,en;q=0.5", "Recusado: C3 não está livre [SW-3: A partir de quem começa"),
        ("", "Refused: C3 is not free [SW-3:"),
        ("fi", "Refused: C3"),
    ],
)
def test_a_refusal_is_told_in_the_language_that_the_page_asks_for(
    begun: Serving, language: str, said: str
) -> None:
    asked = {"Accept-Language": language} if language else {}
    refused = begun.scorer.ask("POST", "/events", {"do": "claim", "at": "C3"}, asked)
    assert refused.json["error"]["message"].startswith(said)
    assert "C3" in refused.json["finding"]["message"]
    assert "livre" not in refused.json["finding"]["message"], "the finding is for programs"
    denied = begun.spectator.ask("POST", "/events", {"do": "claim", "at": "D1"}, asked)
    reads = {"pt": "O link de um espectador lê; não escreve nada."}
    assert denied.json["error"]["message"] == reads.get(
        language[:2], "A spectator's link reads; it writes nothing."
    )
