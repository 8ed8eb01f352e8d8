"""Tests of the other functions of the table page: common events, rulings, corrections, clocks, the alert sound."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

import gamelog
from gamelog.chance.commit_reveal import Chain
from gamelog.play.fold import common_events
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import tag_of
from tests.table.client import Serving, serve_in_thread
from tests.table.conftest import FIRST
from tests.table.test_api import command
from tests.table.test_layout import CELL, HIDDEN
from tests.table.touch import Device

pytestmark = pytest.mark.browser


class Writer(Device):
    """A device that fills in forms."""

    def open(self, tag: str) -> None:
        """Open the form of a common event, or press its button if it has no form."""
        self.page.evaluate("document.getElementById('ending').close()")
        button = self.page.locator(f"#more button[data-do='{tag}']")
        button.evaluate("(one) => one.closest('details')?.setAttribute('open', '')")
        button.tap()

    def fill(self, **given: str) -> None:
        """Fill in fields of the open form by their labels, with underscores for spaces."""
        self.page.evaluate(
            "document.querySelectorAll('#more .form details').forEach((one) => (one.open = true))"
        )
        for label, value in given.items():
            field = (
                self.page.locator("#more .form")
                .get_by_label(label.replace("_", " "))
                .filter(visible=True)
                .first
            )
            if field.evaluate("one => one.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)

    def foretold(self, said: str) -> None:
        """Wait until the form shows the effects of its event."""
        self.wait(f"(document.querySelector('#more .effect')?.innerText ?? '').includes({said!r})")

    def write(self) -> None:
        """Record the event of the form, and confirm it if it removes several events."""
        record = self.page.locator("#more .form button.main")
        record.tap()
        if any(text.startswith("Really undo") for text in record.all_inner_texts()):
            record.tap()

    def closes(self, complaints: list[str] | None = None) -> None:
        """Check what the console said, apart from addresses, and close the device."""
        said = [one.partition(" (http")[0] for one in self.complaints]
        assert said == (complaints or [])
        self.context.close()


def recorded_events(path: Path) -> list[Any]:
    return [step.event for step in gamelog.read(path)]


def until(path: Path, n: int) -> Any:
    """Return the last event of the record as soon as it has `n` events."""
    for _ in range(600):
        events = recorded_events(path)
        if len(events) >= n:
            return events[-1]
        time.sleep(0.05)
    raise AssertionError(f"there are {len(recorded_events(path))} events, not {n}")


@pytest.fixture
def agreed(tmp_path: Path) -> Path:
    """Return a game with agreed takebacks and committed dice, after two events."""
    path = tmp_path / "agreed.jsonl"
    chains = {seat: Chain.new("9", seat, 20) for seat in ("red", "blue")}
    for seat, chain in chains.items():
        (tmp_path / seat).write_bytes(msgspec.json.encode(chain))
    commitments = {seat: chain.commitment for seat, chain in chains.items()}
    gamelog.create(
        path,
        "slicewars",
        seats={"red": "Ana", "blue": "Rui"},
        dice="commit-reveal",
        id="9",
        commitments=commitments,
    )
    return path


def test_every_common_event_can_be_recorded_by_touch(browser: Browser, agreed: Path) -> None:
    with serve_in_thread(agreed) as serving:
        scorer = Writer(browser, serving.links[0]["url"])
        red = Writer(browser, serving.client_link("seat", "red"))
        blue = Writer(browser, serving.client_link("seat", "blue"))
        arbiter = Writer(browser, serving.client_link("arbiter"))
        n = 0
        while not n or EventRecorder(agreed).fold.pending.chance:  # after a tie the start is rolled again
            for seat, device in (("red", red), ("blue", blue)):
                device.at(n)
                device.open("@reveal")
                device.page.locator("#more .form input[type=file]").set_input_files(agreed.parent / seat)
                device.foretold("reveals")
                device.write()
                n += 1
                assert until(agreed, n).by == seat
            scorer.at(n)
            scorer.tap_button("Roll")
            scorer.release()
            n += 1
            until(agreed, n)
        start = n

        def rename() -> None:
            arbiter.page.locator("#more .form").get_by_label("red", exact=True).fill("Ana B.")

        def says(device: Writer, tag: str, then: Callable[[], None] = lambda: None) -> Any:
            nonlocal n
            device.at(n)
            device.open(tag)
            then()
            if tag != "@clock":
                device.write()
            n += 1
            event = until(agreed, n)
            assert tag_of(type(event)) == tag
            return event

        assert says(scorer, "@note", lambda: scorer.fill(Text="Tea.")).about == start
        claim = says(red, "@claim", lambda: red.fill(Text="It was five."))
        assert (claim.by, claim.text, claim.about) == ("red", "It was five.", start)
        assert says(arbiter, "@clock").running is False
        assert says(scorer, "@clock").running is True
        assert says(scorer, "@substitute", lambda: scorer.fill(Seat="blue", Name="Mei")).name == "Mei"
        assert says(arbiter, "@amend", rename).seats["red"].name == "Ana B."
        back = says(red, "@takeback", lambda: red.fill(Last_event_kept=str(start)))
        assert (back.by, back.to) == ("red", start)
        blue.at(n)
        blue.tap_button("Mei declines", "#offers")
        n += 1
        assert isinstance(until(agreed, n), common_events.Decline)
        assert says(
            red, "@agree", lambda: red.page.get_by_role("checkbox", name="Mei").check()
        ).result.winners == ("blue",)
        blue.at(n)
        blue.tap_button("Mei accepts", "#offers")
        n += 1
        assert isinstance(until(agreed, n), common_events.Accept)
        assert says(scorer, "@result").outcome.winners == ("blue",)
        ruling = says(
            arbiter,
            "@ruling",
            lambda: arbiter.fill(Decision="takeback", Last_event_kept=str(start), Reason="No.", Name="Zé"),
        )
        assert (ruling.kind, ruling.to) == ("takeback", start)
        assert says(scorer, "@gap", lambda: scorer.fill(Reason="Nobody wrote.")).reason == "Nobody wrote."
        kinds = {type(event) for event in recorded_events(agreed)}
        elsewhere = {
            common_events.Resign,
            common_events.Sign,
            common_events.Recovered,
            common_events.Withdraw,
        }  # the next test and the cards of claims; what is recovered is a command's to say
        assert {kind for kind in common_events.EVENTS if kind not in kinds} == elsewhere
        for device in (scorer, red, blue, arbiter):
            device.closes()


def test_a_player_signs_with_a_seal_from_their_own_device_and_resigns(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "short.jsonl"
    gamelog.create(path, "zone_s", seats={"dominion": "Ana", "separatists": "Rui"})
    with serve_in_thread(path) as serving:
        device = Writer(browser, serving.links[0]["url"])
        device.at(0)
        device.open("@sign")
        with device.page.expect_download() as download:
            device.tap_button("Save record", "#more")
        download.value.save_as(tmp_path / "copy.jsonl")
        assert (tmp_path / "copy.jsonl").read_bytes() == path.read_bytes()
        command("keygen", "-o", tmp_path / "key")
        command(
            "sign",
            tmp_path / "copy.jsonl",
            "--key",
            tmp_path / "key",
            "--seat",
            "dominion",
            "-o",
            tmp_path / "seal",
        )
        device.page.locator("#more .form input[type=file]").set_input_files(tmp_path / "seal")
        device.foretold("Ana signs")
        device.write()
        assert isinstance(until(path, 1), common_events.Sign)
        device.at(1)
        device.open("@resign")
        device.fill(Player_who_resigns="dominion")
        device.foretold("The game would end.")
        device.write()
        assert isinstance(until(path, 2), common_events.Resign)
        device.closes()
    assert gamelog.validate(path).valid


def test_a_ruling_previews_its_effects_and_its_parts_are_recorded_together(
    browser: Browser, begun: Serving
) -> None:
    begun.scorer.write({"do": "claim", "at": "D1"})
    device = Writer(browser, begun.client_link("arbiter"))
    device.at(3)
    device.page.locator("#back").tap()
    device.wait("document.getElementById('number').textContent.startsWith('2 ')")
    device.open("@ruling")
    device.fill(Reason="It was D2.", Name="Mei")
    kind = device.page.locator("#more .form").get_by_label("Decision")
    assert kind.input_value() == "", "nobody knows the decision in advance"
    assert not kind.evaluate("(one) => one.checkValidity()")
    device.fill(Decision="none")
    assert not kind.evaluate("(one) => one.checkValidity()"), "nor points, clocks or warnings"
    device.fill(Decision="stands")
    device.foretold("Mei rules on event 2: stands.")
    device.fill(Decision="takeback")
    device.foretold("This would undo: 2. Ana claims C3. 3. Rui claims D1.")
    device.page.locator("#more .form fieldset").filter(has_text="Points").get_by_label("Rui").last.fill("-2")
    device.page.locator("#more .form").get_by_role("checkbox", name="Ana").last.check()
    device.foretold("Rui -2")
    device.write()
    device.wait("document.getElementById('list').innerText.includes('penalty')")
    position = begun.scorer.get().json
    assert (position["n"], position["state"]["territories"]["C3"]) == (6, ["free", 0])
    device.closes()


def test_a_ruling_on_a_claim_goes_back_before_the_claimed_event(browser: Browser, begun: Serving) -> None:
    begun.scorer.write({"do": "claim", "by": "red", "at": "D1", "as_played": True})
    scorer = Writer(browser, begun.links[0]["url"])
    scorer.at(3)
    scorer.open("@claim")
    scorer.fill(Text="It was my turn.")
    scorer.write()  # the claim is about the illegal event, and by the other player
    scorer.at(4)
    scorer.closes()
    assert begun.scorer.get().json["event"].items() >= {"by": "blue", "about": 3}.items()
    begun.scorer.write({"do": "@note", "by": "table", "text": "The arbiter comes."})
    device = Writer(browser, begun.client_link("arbiter"))
    device.at(5)
    device.open("@ruling")
    assert device.page.inner_text("#more .form h2") == "Ruling on event 4", "the open claim"
    device.fill(Reason="Seen by all.", Name="Mei", Decision="upheld")
    device.foretold("event 3 still counts")
    device.fill(Decision="refused")
    device.foretold("Event 3 would still be disputed. Rule on it too.")
    device.fill(Decision="takeback")
    device.foretold("This would undo: 3. Ana claims D1.")
    device.write()
    device.wait("document.getElementById('list').innerText.includes('takeback')")
    assert begun.scorer.get().json["state"]["territories"]["D1"] == ["free", 0]
    device.closes()


def test_an_event_that_was_not_played_is_omitted(browser: Browser, begun: Serving) -> None:
    begun.scorer.write({"do": "claim", "at": "D1"})
    device = Writer(browser, begun.links[0]["url"])
    device.at(3)
    assert device.page.locator("#captions .seat-points dd").all_inner_texts() == ["1", "1"]
    device.open("slip")
    device.page.get_by_role("button", name="Omit event 3").tap()
    device.page.locator("#fixing").get_by_role("button", name="Record", exact=True).tap()
    device.at(4)
    assert device.page.locator("#captions .seat-points dd").all_inner_texts() == ["1", "0"]
    device.closes()


def test_nothing_can_be_taken_back_at_the_start(browser: Browser, table: Serving) -> None:
    device = Writer(browser, table.links[0]["url"])
    device.at(0)
    takeback = device.page.locator("#more [data-do='@takeback']")
    expect(takeback).to_be_disabled()
    table.scorer.write(FIRST)
    device.at(1)
    expect(takeback).to_be_enabled()
    device.closes()


def test_a_slip_is_corrected_by_taps_and_events_that_do_not_fit_are_skipped(
    browser: Browser, begun: Serving
) -> None:
    begun.scorer.write({"do": "claim", "at": "D1"})
    begun.scorer.write({"do": "claim", "at": "D2"})
    begun.scorer.write({"do": "claim", "at": "E1"})
    device = Writer(browser, begun.links[0]["url"])
    device.at(5)
    device.page.evaluate(
        "document.getElementById('slider').value = 2; document.getElementById('slider').dispatchEvent(new Event('input'))"
    )
    device.wait("document.getElementById('number').textContent.startsWith('2 ')")
    device.page.locator("#more [data-do=slip]").tap()
    device.wait("document.getElementById('fixing').innerText.includes('Tap the correct event')")
    device.tap_cell("D1")  # where event 3 stands, which does not fit any more then
    device.release()
    device.wait(
        "document.getElementById('fixing').innerText.includes('Events not recorded again yet (3): 3. Rui claims D1.')"
    )
    device.page.get_by_role("button", name="Omit event 3").tap()
    device.wait("document.getElementById('fixing').innerText.includes('Events not recorded again yet (2)')")
    device.tap_button("Save, drop 2…", "#fixing")
    assert begun.scorer.get().json["n"] == 5, "the page asks first"
    device.tap_button("Really drop 2", "#fixing")
    device.wait("!document.getElementById('fixing').childElementCount")
    position = begun.scorer.get().json
    assert (position["n"], position["text"]) == (7, "Ana claims D1.")
    device.at(7)
    device.closes()


def test_an_unlisted_event_is_recorded_by_its_members_and_an_illegal_one_anyway(
    browser: Browser, begun: Serving
) -> None:
    device = Writer(browser, begun.links[0]["url"])
    device.at(2)
    device.finger(*device.page.evaluate(CELL, "C3"))
    device.tap_button("Enter other event")
    device.foretold("SW-3")
    assert device.page.get_by_label("at", exact=True).input_value() == "C3"
    assert device.page.evaluate(HIDDEN, "#more .form > .row button:not([hidden])") == []
    device.tap_button("Record it anyway", "#more")
    device.at(3)
    assert begun.scorer.get().json["event"]["as_played"] is True
    device.closes()


def test_on_a_phone_forms_and_further_buttons_close_to_the_choices(browser: Browser, begun: Serving) -> None:
    device = Writer(browser, begun.links[0]["url"])
    device.at(2)
    undo, more = device.page.locator("#undo"), device.page.locator("#to-more")
    more.tap()
    expect(undo).not_to_be_in_viewport()
    device.page.locator("#from-more").tap()
    expect(undo).to_be_in_viewport()
    more.tap()
    device.open("@note")
    expect(device.page.locator("#more .form")).to_contain_text("Ana claims C3.")
    device.fill(Text="Rain.")
    device.write()
    device.at(3)
    expect(more).to_be_in_viewport()
    device.closes()


def test_taps_fill_in_the_fields_of_another_event_in_their_order(browser: Browser, begun: Serving) -> None:
    device = Writer(browser, begun.links[0]["url"], viewport={"width": 1024, "height": 768})
    device.at(2)
    device.open("other")
    device.page.locator("#more .form").get_by_label("Kind").select_option("attack")
    fields = [device.page.get_by_label(name, exact=True) for name in ("src", "dst")]
    for cell, values in (("C3", ["C3", ""]), ("D3", ["C3", "D3"])):
        device.finger(*device.page.evaluate(CELL, cell))
        for field, value in zip(fields, values, strict=True):
            expect(field).to_have_value(value)
    device.context.close()


def test_the_clock_ticks_by_the_servers_time_and_stops_at_a_pause(browser: Browser, begun: Serving) -> None:
    device = Writer(browser, begun.client_link("spectator"))
    device.page.clock.install()  # the device's own time is another
    device.at(2)
    clock = "document.getElementById('clock').textContent"
    shown = device.page.evaluate(clock)
    device.wait(f"{clock} !== '{shown}'")
    begun.scorer.write({"do": "@clock", "by": "table", "running": False})
    device.wait(f"{clock}.includes('stopped')")
    shown = device.page.evaluate(clock)
    device.page.clock.run_for(5_000)
    assert device.page.evaluate(clock) == shown
    device.closes()


def test_forms_fit_a_small_phone_with_long_names_and_work_with_a_keyboard(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "names.jsonl"
    gamelog.create(path, "slicewars", seats={"red": "لينا عبد الرحمن", "blue": "Zé" + "w" * 58 + " 木村"})
    with serve_in_thread(path) as serving:
        serving.scorer.write({"do": "start_roll", "rolls": {"red": 5, "blue": 2}})
        for role, tags in (
            ("scorer", ("@claim", "@agree", "@gap", "other")),
            ("arbiter", ("@amend", "@ruling")),
        ):
            small: dict[str, Any] = {"viewport": {"width": 320, "height": 640}, "is_mobile": False}
            device = Writer(
                browser, serving.client_link(role), **small, color_scheme="dark", bypass_csp=True, locale="pt"
            )
            device.at(1)
            for tag in tags:
                device.page.locator(f"#more button[data-do='{tag}']").evaluate("(one) => one.click()")
                device.page.wait_for_selector(f"#more .form[data-do='{tag}']")
            device.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
            assert device.page.evaluate("document.documentElement.scrollWidth") <= 320
            clock = device.page.evaluate(
                "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.getElementById('clock'))"
            )
            assert clock[0] <= clock[1], "the clock is not cut off"
            found = Axe().run(device.page).response["violations"]
            nodes = [(one["id"], node["html"][:150]) for one in found for node in one["nodes"]]
            assert [
                node for node in nodes if not (node[0] == "color-contrast" and node[1].startswith("<text "))
            ] == []
            device.closes()
        wide = Writer(
            browser,
            serving.links[0]["url"],
            viewport={"width": 1280, "height": 800},
            has_touch=False,
            is_mobile=False,
        )
        wide.at(1)
        wide.page.locator("#more [data-do='@note']").focus()
        wide.page.keyboard.press("Enter")
        wide.page.keyboard.type("Tea.")
        for key in ("Tab", "Tab", "Enter"):
            wide.page.keyboard.press(key)
        assert until(path, 2).text == "Tea."
        wide.wait("document.activeElement.dataset.do === '@note'")
        wide.closes()


def test_a_refusal_plays_the_alert_sound_if_it_is_on(browser: Browser, begun: Serving) -> None:
    device = Writer(browser, begun.links[0]["url"])
    device.page.evaluate(
        "() => { window.heard = []; navigator.vibrate = (how) => heard.push('shake');"
        " const own = AudioContext.prototype.createOscillator;"
        " AudioContext.prototype.createOscillator = function () { heard.push('tone'); return own.call(this); }; }"
    )

    def refused() -> None:
        device.at(begun.scorer.get().json["n"])
        device.open("other")
        device.page.get_by_label("at", exact=True).evaluate(
            "(one) => { one.value = 'C3'; one.form.requestSubmit(); }"  # before the preview refuses it
        )
        device.wait("document.getElementById('alert').textContent.includes('SW-3')")

    refused()
    assert device.page.evaluate("heard") == [], "it is off at first"
    device.page.evaluate("document.querySelector('#more details.rest').open = true")
    device.tap_button("Alert sound", "#more")
    assert device.page.evaluate("heard") == ["shake", "tone"], "a preview of the alert sound"
    refused()
    device.wait("heard.length === 4")
    device.context.close()


def test_a_correction_that_ends_the_turn_is_shown(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    lines = Path("sample_games/slicewars/full-4.jsonl").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:105]))  # the last event is Green's pass
    with serve_in_thread(path) as serving:
        device = Writer(browser, serving.links[0]["url"])
        device.at(104)
        device.page.locator("#desk .form[data-do=idle] button").last.tap()
        device.page.locator("#more [data-do=slip]").tap()
        device.wait("document.getElementById('fixing').innerText.includes('Tap the correct event')")
        device.page.locator("#desk").get_by_role("button", name="pass").tap()
        device.wait("document.getElementById('said').innerText.includes('passes')")
        device.closes()
