"""How many taps an event takes: recorded games through the page's own resolver, dice included."""

from __future__ import annotations

from math import ceil
from typing import Any

import msgspec
import pytest
from gamelog_reports import bundle
from gamelog_table.pictures import is_orderless, taps_of
from msgspec import structs
from playwright.sync_api import Browser, Page

from gamelog.chance.draws import Bag, kinds_of
from gamelog.play.contract.choices import legal_for
from gamelog.play.contract.game import ChanceDue
from gamelog.play.contract.registry import find
from gamelog.play.fold.common import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.driver import simulate_game
from gamelog.record.envelope import DiceSpec, Event
from tests.table.touch import matching

pytestmark = pytest.mark.browser

MOST = {"slicewars": 2.1, "zone_control": 1.85, "gp02a_territory": 1.7, "zone_s": 1.2, "dice_flags": 1.85}
"""Taps an event at most, on average over a game of greedy bots."""

EVENTS = 250
"""Events of each game that are tapped."""

COUNT = """(asked) => asked.map(([choices, at]) => {
  const wanted = choices[at], key = (choice) => choice && JSON.stringify(choice.event), seen = new Set();
  let border = [[]];
  for (let taps = 0; taps < 12 && border.length; taps++) {
    const next = [];
    for (const tapped of border) {
      const found = resolve(choices, tapped);
      if (taps && key(found.complete) === key(wanted)) return taps;
      if (key(found.done) === key(wanted) || found.alone.some((one) => key(one) === key(wanted))) return taps + 1;
      if (found.kinds.some((one) => key(one) === key(wanted))) return taps + 1;
      const more = wanted.tokens.filter((one) => !tapped.includes(one));
      const less = tapped.filter((one) => !wanted.tokens.includes(one));
      for (const token of [...more, ...less]) {
        const then = tapped.includes(token) ? tapped.filter((one) => one !== token) : likeliest(choices, [...tapped, token]);
        const name = [...then].sort().join();
        if (!seen.has(name)) next.push(then);
        seen.add(name);
      }
    }
    border = next;
  }
  return 99;
})"""


@pytest.fixture
def resolver(browser: Browser) -> Page:
    """A page that has the resolver and nothing else."""
    page = browser.new_page()
    page.add_script_tag(content=bundle.EXPORT.sub("", bundle.asset("resolver.js", "gamelog_table")))
    return page


def pad_taps(fold: Fold, chance: ChanceDue) -> int:
    """Taps on the pad: two at a time where the order means nothing, and nothing for what is the last of a bag."""
    taps = 0
    for at, draw in enumerate(chance.draws):
        pairs = is_orderless(fold, chance.draws, at) and len(kinds_of(draw)) <= 6
        emptied = isinstance(draw, Bag) and sum(kinds_of(draw).values()) == draw.count
        taps += ceil(draw.count / 2) if pairs else draw.count - emptied
    return taps


def decisions(fold: Fold, events: list[Event]) -> tuple[list[Any], int, int]:
    """Each decision with what was legal and which of it was played; taps for chance, and the number of events."""
    asked, thrown, counted = [], 0, 0
    for event in events:
        pending = fold.pending
        if pending.chance:
            thrown, counted = thrown + pad_taps(fold, pending.chance), counted + 1
        elif type(event) not in COMMON and event.by != "table":
            taps = taps_of(fold, ())
            choices = msgspec.to_builtins(taps.choices(legal_for(fold.game, fold.state, None).events))
            asked.append((choices, choices.index(matching(choices, event))))
            counted += 1
        assert fold.push(event) is None
    return asked, thrown, counted


@pytest.mark.grid
@pytest.mark.parametrize("game", MOST)
def test_taps_an_event(resolver: Page, game: str) -> None:
    found = find(game)
    header, events = simulate_game(found, "taps", 0, players=min(found.seats), bots=("greedy",))
    fold = Fold(structs.replace(header, dice=DiceSpec("table")), found)
    asked, thrown, counted = decisions(fold, events[:EVENTS])
    taps = resolver.evaluate(COUNT, asked)
    assert max(taps) < 99, "every decision of the list can be tapped"
    mean = (sum(taps) + thrown) / counted
    print(f"{game}: {mean:.2f} taps an event over {counted} events")
    assert mean <= MOST[game]


def test_a_source_alone_never_completes(resolver: Page) -> None:
    script = """() => {
      const one = {event: {do: "step", src: "a", dst: "b"}, tokens: ["cell:a", "cell:b"], targets: ["cell:b"]};
      const two = {event: {do: "step", src: "c", dst: "d"}, tokens: ["cell:c", "cell:d"], targets: ["cell:d"]};
      const said = (...tapped) => { const {complete} = resolve([one, two], tapped); return complete && complete.event.dst; };
      return [said(), said("cell:a"), said("cell:a", "cell:b"), said("cell:d")];
    }"""
    assert resolver.evaluate(script) == [None, None, "b", "d"]
