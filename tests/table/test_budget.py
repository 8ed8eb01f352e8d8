"""The number of taps per event: recorded games are tapped with the page's own selection. A drag counts as two taps."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

import msgspec
import pytest
from gamelog_reports import bundle
from gamelog_table.events.choices import is_orderless
from gamelog_table.events.taps import Drag, tapped_choices, tapping_at
from msgspec import structs
from playwright.sync_api import Browser, Page

from gamelog.chance.draws import Bag, kinds_of
from gamelog.play.contract.game import ChanceDue
from gamelog.play.contract.registry import find
from gamelog.play.contract.seats import legal_for
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.fold import Fold
from gamelog.play.recording.series import simulate_game
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import DiceSpec, Event, Header
from tests.shares import examples
from tests.table.touch import matching

pytestmark = pytest.mark.browser

MOST = {"slicewars": 1.6, "zone_control": 1.5, "gp02a_territory": 1.4, "zone_s": 1.2, "dice_flags": 1.5}
"""Maximum average number of taps per event, over two games of greedy bots, two of strong bots and one of random bots."""

EVENTS = 200
"""The number of events of each game that are tapped in a full run."""

COUNT = """(asked) => asked.map(([{choices, kept}, at]) => {
  const wanted = choices[at], key = (choice) => choice && JSON.stringify(choice.event), seen = new Set();
  let border = [[]];
  for (let taps = 0; taps < 12 && border.length; taps++) {
    const next = [];
    for (const tapped of border) {
      const found = resolveTaps(choices, tapped, kept);
      if (key(found.done) === key(wanted) || found.alone.some((one) => key(one) === key(wanted))) return taps + 1;
      if (found.kinds.some((one) => key(one) === key(wanted))) return taps + 1;
      const more = wanted.tokens.filter((one) => !tapped.includes(one));
      const less = tapped.filter((one) => !wanted.tokens.includes(one));
      for (const token of [...more, ...less]) {
        let then = less.includes(token) ? tapped.filter((one) => one !== token) : [...tapped, token];
        if (!less.includes(token)) {
          const { complete } = resolveTaps(choices, then, kept);
          if (key(complete) === key(wanted)) return taps + 1;
          if (complete) continue;
          then = likeliestSet(choices, then, token);
        }
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
    """Return a page that has only the selection."""
    page = browser.new_page()
    page.add_script_tag(content=bundle.EXPORT.sub("", bundle.asset("selection.js", "gamelog_table")))
    return page


def pad_taps(fold: Fold, chance: ChanceDue) -> int:
    """Return the number of taps on the pad: one for two results in any order, none for the last things of a bag."""
    taps = 0
    for at, draw in enumerate(chance.draws):
        pairs = is_orderless(fold.game, fold.state, chance.draws, at) and len(kinds_of(draw)) <= 6
        emptied = isinstance(draw, Bag) and sum(kinds_of(draw).values()) == draw.count
        taps += ceil(draw.count / 2) if pairs else draw.count - emptied
    return taps


class Tapped:
    """The recorded events of one game: the choices at each decision, repetitions and drags, and the taps for chance."""

    def __init__(self, header: Header, events: list[Event]) -> None:
        whole, fold = (Fold(header, find(header.game)) for _ in range(2))
        whole.extend(events)
        cells = [_cells(whole, event) for event in events]
        self.asked: list[Any] = []
        self.at_once: list[list[tuple[int, int]]] = []
        self.thrown, self.counted = 0, 0
        for at, event in enumerate(events):
            pending = fold.pending
            if pending.chance:
                self.thrown, self.counted = self.thrown + pad_taps(fold, pending.chance), self.counted + 1
            elif type(event) not in COMMON and event.by != "table":
                legal = legal_for(fold.game, fold.state, None).events
                told = msgspec.to_builtins(tapped_choices(RecordView(fold), list(legal)))
                choice = matching(told["choices"], event)
                self.asked.append((told, told["choices"].index(choice)))
                self.at_once.append(
                    [
                        *_repetitions(choice.get("times", 1), events[at:]),
                        *_drags(fold, events[at:], cells[at:]),
                    ]
                )
                self.counted += 1
            assert fold.push(event) is None

    def taps(self, alone: list[int]) -> int:
        """Return the number of all taps, if each decision takes `alone` taps unless it is repeated or dragged."""
        total, at = self.thrown, 0
        while at < len(alone):
            runs = [(1, alone[at]), *((length, taps or alone[at] + 1) for length, taps in self.at_once[at])]
            length, taps = max(runs, key=lambda run: sum(alone[at : at + run[0]]) - run[1])
            total, at = total + taps, at + length
        return total


def _repetitions(times: int, events: list[Event]) -> Iterator[tuple[int, int]]:
    """Yield the number of times that the first of `events` can be repeated with one more tap."""
    again = 1
    while again < min(times, len(events)) and _alike(events[0], events[again]):
        again += 1
        yield again, 0


def _drags(fold: Fold, events: list[Event], cells: list[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Yield the number of `events` that one drag records. A drag counts as two taps."""
    way: tuple[str, ...] = cells[0][:1]
    for length, (event, more) in enumerate(zip(events, cells, strict=True), 1):
        if not more or event.by != events[0].by or way[-1:] != more[:1]:
            return
        way += more[1:]
        if Drag(RecordView(fold)).events(way) == [structs.replace(one, n=0, t=0) for one in events[:length]]:
            yield length, 2


def _alike(one: Event, other: Event) -> bool:
    return structs.replace(one, n=0, t=0) == structs.replace(other, n=0, t=0)


def _cells(fold: Fold, event: Event) -> tuple[str, ...]:
    """Return the cells of a drag that means `event`."""
    tapping = tapping_at(RecordView(fold), fold.states[event.n - 1])
    taps = tapping.taps_of(event)
    places = tapping.cells_among(taps[:-1])
    return (
        (*places, *getattr(event, "path", taps[-1:]))
        if len(places) == 1 and taps[-1] in tapping.cells
        else ()
    )


@pytest.mark.grid(keeps=("gp02a_territory",))
@pytest.mark.parametrize("game", MOST)
def test_taps_per_event(resolver: Page, game: str) -> None:
    found, taps, counted = find(game), 0, 0
    for game_number, bot in enumerate(("random", "greedy", "strong", "greedy", "strong")):
        if bot in found.bots:
            header, events = simulate_game(found, "taps", game_number, players=min(found.seats), bots=(bot,))
            tapped = Tapped(structs.replace(header, dice=DiceSpec("table")), events[: examples(EVENTS)])
            alone = resolver.evaluate(COUNT, tapped.asked)
            assert max(alone) < 99, "every decision of the list can be tapped"
            own = tapped.taps(alone)
            one_by_one = (sum(alone) + tapped.thrown) / tapped.counted
            print(f"{game} {bot}: {own / tapped.counted:.2f}, {one_by_one:.2f} without gestures")
            taps, counted = taps + own, counted + tapped.counted
    print(f"{game}: {taps / counted:.2f} taps an event over {counted} events")
    assert taps / counted <= MOST[game]


def targets_of(resolver: Page, taps: list[list[str]], kept: list[str] | None = None) -> list[str | None]:
    """Return the targets of the events that each of `taps` chooses, of three steps: two to one cell, one to another."""
    script = """([taps, kept]) => {
      const cell = (name) => "cell:" + name;
      const step = (src, dst) => ({event: {do: "step", src, dst}, tokens: [cell(src), cell(dst)], targets: [cell(dst)]});
      const all = [step("a", "b"), step("c", "d"), step("e", "d")];
      return taps.map((tapped) => resolveTaps(all, tapped, kept).complete).map((one) => one && one.event.src + one.event.dst);
    }"""
    found: list[str | None] = resolver.evaluate(script, [taps, kept or []])
    return found


def test_a_source_alone_never_completes(resolver: Page) -> None:
    tapped = [[], ["cell:a"], ["cell:a", "cell:b"], ["cell:b"], ["cell:d"], ["cell:d", "cell:e"]]
    assert targets_of(resolver, tapped) == [None, None, "ab", "ab", None, "ed"]


def test_the_piece_that_just_moved_is_the_likeliest_to_move_again(resolver: Page) -> None:
    tapped = [["cell:e"], ["cell:d"], ["cell:d", "cell:c"], ["cell:b"]]
    assert targets_of(resolver, tapped, ["cell:e", "cell:x"]) == [None, "ed", "cd", "ab"]


def test_a_set_is_selected_and_a_confirmation_chooses_it(resolver: Page) -> None:
    script = """() => {
      const by = (...cells) => ({event: {do: "raid", cells}, tokens: [...cells, "zone:1"], targets: ["zone:1"], set: cells});
      const all = [by("cell:a"), by("cell:b"), by("cell:a", "cell:b"), {event: {do: "end"}, tokens: []}];
      const chosen = likeliestSet(all, ["zone:1"], "zone:1"), less = chosen.filter((one) => one !== "cell:b");
      const done = (tapped) => resolveTaps(all, tapped).done.event.cells;
      return [resolveTaps(all, ["zone:1"]).complete, [...chosen].sort(), done(chosen), done(less)];
    }"""
    assert resolver.evaluate(script) == [
        None,
        ["cell:a", "cell:b", "zone:1"],
        ["cell:a", "cell:b"],
        ["cell:a"],
    ]
