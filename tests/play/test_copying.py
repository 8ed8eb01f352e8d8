"""Tests of copies of folds, which change independently of their originals."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from gamelog.play.fold.fold import Fold
from gamelog.play.judging.fold_record import fold_record
from gamelog.record.reading import read_record
from tests.play.reveals import Table
from tests.play.tables import push, start_game
from tests.play.test_in_force import play_a_little
from tests.play.test_rulings import rule

RECORDS = sorted((Path(__file__).parents[2] / "sample_games").rglob("*.jsonl"))


def content_of(one: Any) -> Any:
    """Return the content of a fold or a part of it, with its containers."""
    if type(one).__module__.startswith("gamelog.play.fold.") and hasattr(one, "__dict__"):
        return {name: content_of(value) for name, value in vars(one).items()}
    if isinstance(one, dict):
        return {key: content_of(value) for key, value in one.items()}
    return [content_of(part) for part in one] if isinstance(one, list) else one


def check_copy(whole: Fold, cut: int) -> None:
    """Check that a copy after `cut` events of `whole` accepts the others as its original does later."""
    fold = Fold(
        whole.header, whole.game, whole.ruled_events, whole.line_heads, whole.ancestry, whole.openings
    )
    fold.extend(list(whole.events[:cut]))
    before, further = content_of(fold), fold.copy()
    further.extend(list(whole.events[cut:]))
    assert content_of(fold) == before, "events added to the copy change nothing here"
    fold.extend(list(whole.events[cut:]))
    assert content_of(further) == content_of(fold)
    assert further.n == whole.n


@pytest.mark.grid(keeps=("ruled", "takeback"))
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_copy_of_a_recorded_game_goes_on_by_itself(path: Path) -> None:
    whole = fold_record(read_record(path)).fold
    assert whole is not None
    for cut in {0, 1, whole.n // 2, max(0, whole.n - 1), whole.n}:
        check_copy(whole, cut)


@pytest.mark.parametrize("seed", range(20))
def test_a_copy_goes_on_by_itself_among_rulings_claims_and_offers(seed: int) -> None:
    rng, fold = random.Random(seed), start_game()
    for _ in range(12):
        play_a_little(fold, rng)
        about = rng.randrange(1, fold.n + 1)
        kind = rng.choice(["takeback", "result", "penalty", "refused", "stands"])
        members: dict[str, dict[str, Any]] = {
            "takeback": {"to": rng.choice([0, *fold.main_line_numbers()])},
            "result": {"result": {"winners": ["red"], "reason": "time"}},
            "penalty": {"points": {"red": -1}},
        }
        push(fold, "@claim", "red", about=about, text="It was D1.")
        rule(fold, kind, about, **members.get(kind, {}))
        push(fold, "@agree", "blue", result={"winners": [], "reason": "drawn"})
        push(fold, "@clock", "table", running=rng.random() < 0.5)
        push(
            fold, "@takeback", "table", to=rng.choice([0, *fold.main_line_numbers()]), slip=rng.random() < 0.5
        )
    for cut in rng.sample(range(fold.n), 5):
        check_copy(fold, cut)


def test_a_copy_reveals_links_by_itself() -> None:
    table = Table().go_on().reveal().roll().go_on()
    table.reveal(table.missing()[0])
    for cut in range(table.fold.n):
        check_copy(table.fold, cut)
