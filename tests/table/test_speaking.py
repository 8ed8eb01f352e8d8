"""The server speaks to people in their language, and to programs in English."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gamelog_table.answers import spoken

from gamelog.message import Message
from gamelog.play.contract.translation import Translation
from gamelog.play.judging.replay import replay
from gamelog.play.telling.seeing import LEFT_OUT
from gamelog.record.reading import read_record
from tests.table.client import Serving
from tests.templates import templates, trees

REFUSALS = {"Denied": 1, "Conflict": 0}
"""Which argument is the sentence, by what is raised."""


def sentences() -> Iterator[str]:
    """What the server itself says no with: templates, and sentences without places."""
    yield from templates("gamelog_table")
    for tree in trees("gamelog_table"):
        for node in ast.walk(tree):
            at = REFUSALS.get(getattr(node.func, "id", ""), -1) if isinstance(node, ast.Call) else -1
            if isinstance(node, ast.Call) and 0 <= at < len(node.args):
                text = node.args[at]
                if isinstance(text, ast.Constant):
                    yield str(text.value)


def test_every_sentence_of_the_servers_own_is_there_in_portuguese() -> None:
    said = set(sentences()) - {LEFT_OUT}
    assert len(said) > 30
    assert {text for text in said if spoken(Message(text), "pt") == text} == set()
    assert all(spoken(Message(text), "en") == text for text in said)


def test_a_game_that_fails_at_its_own_words_is_spoken_of_all_the_same(record: Path) -> None:
    def translation(language: str) -> Translation:
        raise KeyError(language)

    fold = replay(read_record(record)).fold
    assert fold is not None
    game = replace(fold.game, translation=translation)
    assert spoken(Message("No roll is due."), "pt", game) == "Não há lançamento a fazer."


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
    assert refused.json["finding"]["said"] == ["{at} is not free", {"at": "C3"}]
    template, members = refused.json["error"]["said"]
    assert template.startswith("Refused: {remark}")
    assert members["remark"] == refused.json["finding"]["said"]
    denied = begun.spectator.ask("POST", "/events", {"do": "claim", "at": "D1"}, asked)
    reads = {"pt": "O link de um espectador lê; não escreve nada."}
    assert denied.json["error"]["message"] == reads.get(
        language[:2], "A spectator's link reads; it writes nothing."
    )
