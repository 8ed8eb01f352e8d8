"""The other side of a trade confirms it with a common `@accept`."""

from __future__ import annotations

from typing import Any

import msgspec

from gamelog.finding import Finding
from gamelog.games.gp02a_territory import GAME
from gamelog.play.fold.fold import Fold
from gamelog.play.fold.parts.event_list import decoder
from tests.games.gp02a_territory.games import play


def push(fold: Fold, do: str, by: str, **members: Any) -> Finding | None:
    line = {"do": do, "n": fold.n + 1, "t": fold.t + 1000, "by": by, **members}
    return fold.push(decoder(GAME).decode(msgspec.json.encode(line)))


def traded() -> Fold:
    """Return a game in which blue, the Main Player, has given red a chip."""
    fold = Fold(play(0, 3, negotiation=True).header, GAME)
    assert push(fold, "deal_cards", "table", cards={"blue": 4, "red": 1, "green": 2}) is None
    assert push(fold, "roll", "blue", value=3) is None
    for seat, chips in (("blue", {"red": 3}), ("red", {"blue": 3}), ("green", {"red": 3})):
        assert push(fold, "draw", seat, chips=chips) is None
    assert push(fold, "trade", "blue", seat="red", gives={"red": 1}, takes={"blue": 1}) is None
    return fold


def test_the_other_side_confirms_once_and_nothing_else_changes() -> None:
    fold = traded()
    trade, state = fold.n, fold.state
    assert push(fold, "@accept", "green", about=trade) is not None, "green took no part in the trade"
    assert push(fold, "@accept", "blue", about=trade) is not None, (
        "blue recorded the trade and has agreed already"
    )
    assert push(fold, "@accept", "red", about=trade - 1) is not None, "a draw needs no agreement"
    assert push(fold, "@decline", "red", about=trade) is not None, (
        "a trade that happened can be claimed against, not declined"
    )
    assert push(fold, "@note", "table", text="shake hands") is None
    assert push(fold, "@accept", "red", about=trade) is None
    assert fold.state is state and fold.main_line_numbers()[-1] == fold.n
    assert push(fold, "@accept", "red", about=trade) is not None, "once is enough"
    assert push(fold, "distribute", "blue", cards={"blue": 1, "red": 2, "green": 4}) is None


def test_it_is_too_late_once_something_else_is_played_or_the_trade_is_taken_back() -> None:
    fold = traded()
    trade = fold.n
    assert push(fold, "distribute", "blue", cards={"blue": 1, "red": 2, "green": 4}) is None
    assert push(fold, "@accept", "red", about=trade) is not None
    assert push(fold, "@takeback", "table", to=trade) is None
    assert push(fold, "@accept", "red", about=trade) is None, "it is the last thing played again"
    assert push(fold, "@takeback", "table", to=trade - 1) is None
    assert push(fold, "@accept", "red", about=trade) is not None


def test_a_file_with_the_answer_folds_as_it_was_written() -> None:
    fold = traded()
    assert push(fold, "@accept", "red", about=fold.n) is None
    again = Fold(fold.header, GAME)
    assert again.extend(list(fold.events)) is None
    assert again.states == fold.states
