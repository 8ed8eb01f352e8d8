"""Tests of the language of answers: the reader's language for pages, English for programs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from gamelog_table.net.responses import render_message

from gamelog.message import Message
from gamelog.play.contract.translation import Translation
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.table.client import Serving


def test_a_game_whose_translation_fails_still_gets_answers(record: Path) -> None:
    def translation(language: str) -> Translation:
        raise KeyError(language)

    fold = fold_record(read_record(record)).fold
    assert fold is not None
    game = replace(fold.game, translation=translation)
    assert render_message(Message("No roll is due."), "pt", game) == "Não há lançamento a fazer."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt-PT,en;q=0.5", "Recusado: C3 não está livre [SW-3: A começar por esse jogador"),
        ("", "Refused: C3 is not free [SW-3:"),
        ("fi", "Refused: C3"),
    ],
)
def test_a_refusal_is_in_the_requested_language(begun: Serving, language: str, said: str) -> None:
    asked = {"Accept-Language": language} if language else {}
    refused = begun.scorer.ask("POST", "/events", {"do": "claim", "at": "C3"}, asked)
    assert refused.json["error"]["message"].startswith(said)
    assert "C3" in refused.json["finding"]["message"]
    assert "livre" not in refused.json["finding"]["message"], "the finding is for programs"
    assert refused.json["finding"]["said"] == ["{at} is not free", {"at": "C3"}]
    template, members = refused.json["error"]["said"]
    assert template.startswith("Refused: {problem}")
    assert members["problem"] == refused.json["finding"]["said"]
    denied = begun.spectator.ask("POST", "/events", {"do": "claim", "at": "D1"}, asked)
    reads = {"pt": "Com o link de um espectador só se pode assistir. Para registar eventos, peça outro link."}
    assert denied.json["error"]["message"] == reads.get(
        language[:2],
        "With a spectator's link you can only watch. To record events, ask for another link.",
    )
