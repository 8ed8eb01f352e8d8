"""Hidden choices that several players make at the same time, typed at one terminal."""

from __future__ import annotations

from tests.cli.conftest import Gamelog
from tests.play.test_blame import Plug
from tests.play.test_registry import plug

assert plug, "a fixture"

HIDDEN = """
from dataclasses import replace
from msgspec import structs
from tests.testing.bids import GAME as BASE, SEATS

def observe(state, seat):
    bids = [bid if bid is None or one == seat else 0 for one, bid in zip(SEATS, state.bids)]
    return structs.replace(state, bids=tuple(bids))

GAME = replace(BASE, observe=observe)
"""


def test_the_recorder_asks_who_decides_if_choices_of_several_players_look_alike(
    gamelog: Gamelog, plug: Plug
) -> None:
    plug("bids=hidden_bids:GAME", HIDDEN)
    assert gamelog("new", "bids", "b.jsonl", "--seat", "red=Ana", "--seat", "blue=Rui").status == 0
    typed = gamelog("record", "b.jsonl", stdin="bid 1\nRui: bid 1\nquit\n").out
    assert "Begin with the name of the player: Ana: bid 1 or Rui: bid 1" in typed
    assert "1 event saved" in typed
