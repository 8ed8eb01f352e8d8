"""A simulated user with a phone, who records events by taps on lit cells and buttons."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from math import hypot
from pathlib import Path
from time import monotonic
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page
from playwright.sync_api import Error as PageError

from gamelog.chance.draws import Dice, Draw
from gamelog.chance.stream import draw_results
from gamelog.play.contract.game import ChanceDue, Pending
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import Event, as_proposal
from tests.table.client import Client

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
    "reduced_motion": "reduce",
}
TWICE, NEAR = 0.32, 14
"""Seconds and pixels a little above the limits within which a second tap counts as a bounce."""

TABLET: dict[str, Any] = {
    "viewport": {"width": 1024, "height": 700},
    "has_touch": True,
    "reduced_motion": "reduce",
}


_BOUNCE = """async ([x, y]) => {
  for (let tap = 0; tap < 2; tap++) {
    const where = { clientX: x, clientY: y, detail: 1, bubbles: true, cancelable: true };
    document.elementFromPoint(x, y).dispatchEvent(new MouseEvent("click", where));
    await new Promise(requestAnimationFrame);
  }
}"""
"""JavaScript that taps twice at one place, the second time a frame later."""

_MIDDLE = (
    "if (!node) return null; node.scrollIntoView({block: 'nearest'}); const box = node.getBoundingClientRect();"
    " return [box.left + box.width / 2, box.top + box.height / 2];"
)


def _console_text(message: ConsoleMessage) -> str:
    """Return a message of the console, with the address whose answer it is about."""
    return f"console: {message.text} ({message.location['url']})"


class Device:
    """A browser with a link. `complaints` lists the errors and logs of its page, and requests to other servers."""

    def __init__(self, browser: Browser, url: str, script: str = "", **context: Any) -> None:
        """Open the page. `script` runs before the page's own script."""
        self.complaints: list[str] = []
        self.context = browser.new_context(**{**PHONE, **context})
        self.context.add_init_script(script)
        self.page: Page = self.context.new_page()
        base = "/".join(url.split("/", 3)[:3])
        self.page.on("console", lambda message: self.complaints.append(_console_text(message)))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on(
            "request", lambda asked: None if asked.url.startswith(base) else self.complaints.append(asked.url)
        )
        self.posted: list[str] = []
        self.page.on(
            "request",
            lambda asked: self.posted.append(asked.post_data or "") if asked.method == "POST" else None,
        )
        self.page.goto(url)
        self.page.wait_for_selector("html.ready")
        self.taps = 0
        self.recent: list[tuple[float, float, float]] = []

    def wait(self, truth: str, tries: int = 600) -> None:
        """Wait until the JavaScript `truth` is true; by default, at most about ten seconds.

        Playwright's own wait evaluates text on the page, which the page's policy forbids.
        """
        for _ in range(tries):
            with suppress(PageError):  # the page is loading another address
                if self.page.evaluate(truth):
                    return
            self.page.wait_for_timeout(15)
        raise AssertionError(
            f"never came true: {truth}; on the page stands:\n{self.page.inner_text('#desk')}"
        )

    def at(self, n: int) -> None:
        """Wait until the page shows event `n` as the last event, with its choices on a board at rest."""
        shown = f"document.getElementById('number').textContent.startsWith('{n} ')"
        desk = "document.getElementById('desk')"
        still = "document.getElementById('board').ariaBusy !== 'true'"
        self.wait(
            f"{shown} && ({desk}.hidden || {desk}.dataset.n === '{n}') && document.getElementById('held').hidden && {still}"
        )

    def tap_cell(self, cell: str, *, bounces: bool = False) -> None:
        """Tap the centre of a lit cell."""
        box = self.middle(
            lambda: self.page.evaluate(
                f"(id) => {{ const node = document.querySelector(`[data-cell='${{id}}']`); {_MIDDLE} }}", cell
            )
        )
        assert box, f"{cell} is not lit"
        self.finger(box[0], box[1], bounces=bounces)

    def tap_button(self, text: str, within: str = "#desk", *, bounces: bool = False) -> None:
        """Tap the button with this text."""
        self.press(self.page.locator(f"{within} button").get_by_text(text, exact=True).first, bounces=bounces)

    def press(self, key: Locator, *, bounces: bool = False) -> None:
        """Tap a key of the pad as soon as it exists."""
        x, y = self.middle(lambda: key.evaluate(f"(node) => {{ {_MIDDLE} }}"))
        self.finger(x, y, bounces=bounces)

    def finger(self, x: float, y: float, *, bounces: bool = False) -> None:
        """Tap a point late enough not to count as a bounce; or tap twice, a frame apart."""
        if bounces:
            self.page.evaluate(_BOUNCE, [x, y])
        else:
            self.page.touchscreen.tap(x, y)
        self.recent = [*self.recent[-9:], (monotonic(), x, y)]
        self.taps += 1

    def middle(self, find: Callable[[], list[float]]) -> list[float]:
        """Return the point that `find` returns, as soon as it exists and a tap there would not count as a bounce."""
        while True:
            box = find()
            near = [at for at, x, y in self.recent if box and hypot(box[0] - x, box[1] - y) <= NEAR]
            since = monotonic() - max(near, default=0.0)
            if not box or (any(box) and since > TWICE):
                return box
            self.page.wait_for_timeout(max((TWICE - since) * 1000, 0) + 1)

    def release(self) -> None:
        """Tap outside all cells, so that the held event is sent at once."""
        self.page.evaluate(
            "document.getElementById('board').dispatchEvent(new MouseEvent('click', {clientX: -999, clientY: -999}))"
        )

    def choose(self, choice: dict[str, Any], tokens: dict[str, Any]) -> None:
        """Tap the tokens of `choice`, targets last, until the event is held."""
        held = "!document.getElementById('held').hidden"
        order = [token for token in choice["tokens"] if token not in choice.get("targets", ())]
        if choice.get("set"):
            order = [token for token in choice["tokens"] if token in choice.get("targets", ())] + order
        for token in dict.fromkeys([*order, *choice["tokens"]]):
            if self.page.evaluate(held):
                return
            self._touch(token, tokens[token])
        if not self.page.evaluate(held):
            self.press(self.page.locator("#ask button.main, #ask button:not([aria-pressed])").first)
        assert self.page.evaluate(held), f"{choice} is not held: {self.page.inner_text('#desk')}"

    def _touch(self, token: str, known: dict[str, Any]) -> None:
        """Tap a token on the board if it is alone on its cell, else its button."""
        lit = self.page.evaluate(
            "[...document.querySelectorAll('[data-cell]')].map(one => [one.dataset.cell, one.ariaPressed])"
        )
        cells = [cell for cell, chosen in lit if cell in known.get("cells", ()) and chosen == "false"]
        if cells and not known.get("tray"):
            self.tap_cell(cells[0])
        named = self.page.locator(f'#ask button[data-token="{token}"]:not([aria-pressed=true])')
        if named.count():
            self.press(named.first)

    def roll(self, chance: ChanceDue, rng: random.Random) -> None:
        """Tap the results of a roll or draw, with the keys for two dice if they exist."""
        for draw in chance.draws:
            if isinstance(draw, Dice):
                self._throw(draw, rng)
            else:
                self._draw(draw, rng)

    def _throw(self, draw: Dice, rng: random.Random) -> None:
        left = draw.count
        while left:
            faces = sorted((rng.randint(1, draw.sides) for _ in range(min(left, 2))), reverse=True)
            kind = "pairs" if len(faces) == 2 and draw.sides <= 6 else "ones"
            if kind == "ones":
                faces = faces[:1]
            self.tap_button(" ".join(map(str, faces)), f"#pad .{kind}")
            left -= len(faces)

    def _draw(self, draw: Draw, rng: random.Random) -> None:
        for _ in range(draw.count):
            keys = self.page.locator("#pad .keys button")
            if not keys.count():
                return  # the rest of the bag was drawn automatically
            self.press(keys.nth(rng.randrange(keys.count())))


def bots_event(recorder: EventRecorder) -> Event:
    """Return the decision of a greedy bot in this position."""
    fold = recorder.fold
    seat = fold.pending.by[0]
    rng = random.Random(recorder.n)
    return fold.game.bots["greedy"](fold.game.observe(fold.state, seat), seat, rng)


def play_on(recorder: EventRecorder, key: bytes, rng: random.Random) -> None:
    """Record the roll that is due, with results from `key` and `rng`, or else the decision of a greedy bot."""
    fold = recorder.fold
    chance = fold.pending.chance
    if chance:
        event = fold.game.chance(fold.state, draw_results(key, rng.randbytes(8), chance.draws))
    else:
        event = bots_event(recorder)
    recorder.append([as_proposal(event)])


def matching(choices: list[dict[str, Any]], event: Event) -> dict[str, Any]:
    """Return the listed choice for `event`. Only the end of a path counts, and the order of a set does not count."""

    def plain(members: dict[str, Any]) -> dict[str, Any]:
        ends = {
            name: value[-1] if name == "path" else sorted(value)
            for name, value in members.items()
            if isinstance(value, list | tuple)
        }
        mapped = {
            name: (sorted(value), sorted(map(str, value.values())))
            for name, value in members.items()
            if isinstance(value, dict)
        }
        return members | ends | mapped

    if choices and choices[0].get("count"):  # a choice for all sets of places
        chosen = getattr(event, choices[0]["member"])
        return choices[0] | {
            "event": as_proposal(event),
            "tokens": [f"cell:{place}" for place in chosen],
            "set": [],
        }
    wanted = plain(as_proposal(event))
    return next(choice for choice in choices if plain(choice["event"]) == wanted)


def play(device: Device, scorer: Client, path: Path, most: int = 10_000) -> int:
    """Play the game at `path` to its end by taps, with bots and random dice, and return the number of events."""
    rng = random.Random(1)
    while True:
        recorder = EventRecorder(path)
        pending: Pending = recorder.fold.pending
        if pending.outcome or recorder.n >= most:
            return recorder.n
        device.at(recorder.n)
        if pending.chance:
            device.roll(pending.chance, rng)
        else:
            told = scorer.get("/choices").json
            device.choose(matching(told["choices"], bots_event(recorder)), told["tokens"])
        device.release()
        device.at(recorder.n + 1)
