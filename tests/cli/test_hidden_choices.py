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


BLUFF = """
from msgspec import Struct, structs
from gamelog import game
from tests.testing.bids import GAME as BASE, SEATS

class Hide(game.Event, frozen=True, tag="hide"):
    card: int

class Show(game.Event, frozen=True, tag="show"):
    pass

class Wait(game.Event, frozen=True, tag="wait"):
    pass

class State(Struct, frozen=True):
    setup: tuple[str, ...] = SEATS
    card: int | None = None
    hidden: bool = False

def legal(state, seat):
    if seat != "red":
        return game.Legal(())
    if not state.hidden:
        return game.Legal((Hide(0, 0, seat, 0), Hide(0, 0, seat, 1)))
    return game.Legal((Wait(0, 0, seat), *([Show(0, 0, seat)] if state.card > 0 else [])))

def apply(state, event):
    return structs.replace(state, card=event.card, hidden=True) if isinstance(event, Hide) else State()

def observe(state, seat):
    return state if seat == "red" else structs.replace(state, card=None)

GAME = game.Game(
    id="bids", title="Bluff", rules_version="1.0", seats={2: SEATS}, events=(Hide, Show, Wait),
    start=lambda *_: State(), pending=lambda state: game.Pending(by=("red",)),
    check=lambda state, event: None, apply=apply, legal=legal, observe=observe,
    seen=lambda event, before, seat: event if seat == "red" else game.without(event, "card"),
    effects=lambda before, event, after: (), rules=BASE.rules, scene=BASE.scene,
    messages={"hide": "{@by} hides {card}.", "hide?": "{@by} hides a card.", "show": "{@by} shows.", "wait": "{@by} waits."},
)
"""


def test_the_prompt_does_not_depend_on_the_hidden_card(gamelog: Gamelog, plug: Plug) -> None:
    plug("bids=bluff:GAME", BLUFF)
    printed = []
    for card in "01":
        record = f"{card}.jsonl"
        assert gamelog("new", "bids", record, "--seat", "red=Ana", "--seat", "blue=Rui").status == 0
        assert gamelog("record", record, "--seat", "red", stdin=f"hide {card}\nquit\n").status == 0
        printed.append(gamelog("record", record, stdin="legal\nzz\nquit\n").out.replace(record, ""))
    assert "Their forms are: hide CARD; show; wait" in printed[0]
    assert printed[0] == printed[1]
