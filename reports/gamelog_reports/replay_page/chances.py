"""The part of a replay page about an analysis: the chances of winning, in words and as a curve.

The words need no script. A page that hides something from its viewer has no chances, because they follow from
everything that happened. In a game with hidden information, the part is folded until a reader opens it.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import Struct

from gamelog.analysis.analysis import Analysis
from gamelog.analysis.analysis_file import alternative_event
from gamelog.analysis.curve import Totals
from gamelog.analysis.turning_points import TurningPoint
from gamelog.chance.draws import Dice
from gamelog.message import Message, Renderer
from gamelog.play.contract.locales import load_locale
from gamelog.play.playing.evaluator import MIN_CHECKED_GAMES, OVERCONFIDENT, CalibrationBin
from gamelog.play.rendering.sentences import sentence
from gamelog.play.view.record_view import RecordView
from gamelog.record.escaping import escape_invisible, isolate
from gamelog.statistics import Interval, margin, share_interval
from gamelog_reports.replay_page.chance_curve import SeatCurve, chance_curve, curve_labels, mean_chances
from gamelog_reports.replay_page.page_data import REPORTS
from gamelog_reports.replay_page.shown_record import ShownRecord
from gamelog_reports.seat_style import seat_styles
from gamelog_reports.templates import cut, texts, with_isolates

_DECIMALS = {"en": ".", "pt": ","}
"""The sign before decimals in each language."""

_PERCENT = {"en": "%", "pt": "\u00a0%"}
"""The sign after percentages in each language."""

_LISTED_ABOVE = 5
"""Largest number of turning points in the page's summary and on the chart of points."""


class ShownTurningPoint(Struct, frozen=True):
    """A turning point in words.

    Attributes:
        change: The change of a chance with its margin of error.
        event: Description of the event.
        alternative: A better choice that was found, or an empty text.
    """

    n: int
    change: Markup
    event: Markup
    alternative: Markup


class Chances(Struct, frozen=True):
    """The chances of a game in words, and their curve.

    Attributes:
        is_folded: Whether the part is closed until a reader opens it, because it shows hidden information.
        curve: The curve with the marks of the turning points.
        legend: The meaning of axes, band and marks.
        labels: The names beside the lines of the curve.
        meaning: The definition of a chance.
        warning: The reason not to rely on the chances, or an empty text.
        totals: For each seat the sums of luck and choices.
        turning_points: All turning points.
        reading: What the totals mean, and that there are no turning points.
        notes: What the band, the turning points and the line mean.
        calibration: For each range of chances: the range, positions, mean, share of wins, its interval.
        verdict: What the calibration means, or why it means little.
        moments: The largest turning points as messages by event, for the summary and the chart of points.
    """

    is_folded: bool
    curve: Markup
    labels: Markup
    legend: Markup
    meaning: Markup
    warning: Markup
    totals: Sequence[Markup]
    turning_points: Sequence[ShownTurningPoint]
    reading: Sequence[Markup]
    notes: Sequence[Markup]
    calibration: Sequence[tuple[str, str, str, str, str]]
    verdict: Markup
    moments: dict[int, Message]


def chances_of(shown: ShownRecord, analysis: Analysis, language: str) -> Chances | None:
    """Return the part about `analysis`, or None if the page must not show it.

    Args:
        shown: The record, as the page shows it.
        analysis: The analysis of this record, as `gamelog.analysis.analysis_file.read_analysis` returns it.
        language: The language of the page.
    """
    view = shown.view
    if view is None or len(analysis.points) != view.last_played + 1 or view.pending.outcome is None:
        return None
    hides = view.game.hides
    if hides and shown.viewer.seats:
        return None
    words = _ChanceSentences(shown, view, analysis, language)
    changes = {point.n: words.change_sentence(point) for point in analysis.turning_points}
    largest = sorted(analysis.turning_points, key=lambda point: -max(map(abs, point.swing)))[:_LISTED_ABOVE]
    looks = dict(zip(view.game.all_seats, seat_styles(view.game.all_seats), strict=True))
    seats = [
        SeatCurve(
            cut(words.name(seat), 16),
            looks[seat].colour,
            mean_chances([point.chances[index] for point in analysis.points], changes, len(analysis.seats)),
            [margin(point.error) for point in analysis.points],
        )
        for index, seat in enumerate(analysis.seats)
    ]
    marks = {n: words.text_at(n, message) for n, message in changes.items()}
    return Chances(
        hides,
        chance_curve(seats, marks, texts(language)["chances"]),
        curve_labels(seats),
        words.legend(),
        words.chance_definition(),
        words.warning(),
        [words.total_sentence(total) for total in analysis.totals],
        [
            ShownTurningPoint(
                point.n,
                words.with_margin(changes[point.n], point),
                words.event_sentence(point.n),
                words.alternative_sentence(point),
            )
            for point in analysis.turning_points
        ],
        words.totals_explanation(),
        words.curve_explanation(),
        [words.calibration_row(one) for one in words.compared_ranges()],
        words.calibration_sentences(),
        {} if hides else {point.n: changes[point.n] for point in largest},
    )


class _ChanceSentences:
    """The sentences about an analysis in one language."""

    def __init__(self, shown: ShownRecord, view: RecordView, analysis: Analysis, language: str) -> None:
        self._shown, self._view, self._analysis = shown, view, analysis
        self._language, self._people = language, shown.people
        self._locale = load_locale(language, view.game, REPORTS)
        self._renderer = Renderer(self._locale, self.name)
        self._rolls_dice = self._has_only_dice()

    def name(self, seat: str) -> str:
        """Return the name of the player at a seat."""
        return self._people.get(seat, seat)

    def html(self, message: Message) -> Markup:
        """Return a message as HTML, with the present players. The renderer escapes every part."""
        return Markup(self._renderer.html(message))

    def html_at(self, n: int, message: Message) -> Markup:
        """Return a message about event `n` as HTML, with the players at that event."""
        return Markup(Renderer(self._locale, self._shown.names_at(n)).html(message))

    def text_at(self, n: int, message: Message) -> str:
        """Return a message about event `n` as text, with the players at that event."""
        return Renderer(self._locale, self._shown.names_at(n)).text(message, isolate)

    def number(self, value: float, *, sign: bool = False) -> str:
        """Return a chance, or a change of a chance with its sign."""
        rounded = round(value, 2) + 0.0  # without the sign of a zero
        text = f"{rounded:+.2f}" if sign and rounded else f"{rounded:.2f}"
        return text.replace("-", "\u2212").replace(".", _DECIMALS[self._language])

    def legend(self) -> Markup:
        """Return the meaning of the axes, the band and the marks of the curve."""
        parts = [Message.of("↑ chance, → events 0 to {last}.", last=len(self._analysis.points) - 1)]
        if self._analysis.playouts:
            parts.append(Message.of("Pale band: margin of error."))
        if self._analysis.turning_points:
            parts.append(
                Message.of(
                    "◆ is a turning point; a number beside it counts turning points that are near. "
                    "Press it to see the first event."
                )
            )
        return Markup(" ").join(map(self.html, parts))

    def chance_definition(self) -> Markup:
        """Return the definition of a chance."""
        text = (
            "A chance is the share of games that a player would win from there on if both went on like "
            "the {=bot} bot, a program that plays: {=example} means 60 of 100 games."
            if len(self._analysis.seats) == 2
            else "A chance is the share of games that a player would win from there on if all went on like "
            "the {=bot} bot, a program that plays: {=example} means 60 of 100 games."
        )
        return self.html(Message.of(text, bot=self._analysis.bot, example=self.number(0.6)))

    def warning(self) -> Markup:
        """Return the warning of an overconfident evaluator, or an empty text."""
        checked, slope = self._analysis.checked_games, self._analysis.slope
        if checked < MIN_CHECKED_GAMES or slope >= OVERCONFIDENT:
            return Markup()
        text = (
            "These chances are overconfident: likely winners lost more often than the chances say, and "
            "likely losers won more often."
        )
        return self.html(Message.of(text))

    def total_sentence(self, total: Totals) -> Markup:
        """Return the sums of luck and choices of a seat."""
        luck, choices = (self.number(value, sign=True) for value in (total.luck, total.choices))
        listed = [
            Message.of("{=change} by dice" if self._rolls_dice else "{=change} by luck", change=luck),
            Message.of("{=change} by choices", change=choices),
        ]
        if round(total.rest, 2):
            listed.append(Message.of("{=change} by other events", change=self.number(total.rest, sign=True)))
        text = "{@seat}: {parts}. From {=first} at the start to {=last} at the end."
        if total.error:
            text = "{@seat}: {parts} (each {margin}). From {=first} at the start to {=last} at the end."
        first, last = self.number(total.initial), self.number(total.final)
        parts, margin = Message.join(listed, ", "), self._margin(total.error)
        return self.html(
            Message.of(text, seat=total.seat, parts=parts, margin=margin, first=first, last=last)
        )

    def change_sentence(self, point: TurningPoint) -> Message:
        """Return the change of a chance at a turning point: of the deciding seat, or else the largest."""
        seats, points = self._analysis.seats, self._analysis.points
        size = max(map(abs, point.swing))
        large = [seat for seat, swing in zip(seats, point.swing, strict=True) if abs(swing) > size - 0.005]
        seat = point.by if point.by in large else large[0]
        before, after = (self.number(points[n].chances[seats.index(seat)]) for n in (point.n - 1, point.n))
        if point.cause == "choice":
            text = "By a choice of {@by}, the chance of {@seat} goes from {=before} to {=after}."
        elif point.cause == "other":
            text = "By a takeback, ruling or clock, the chance of {@seat} goes from {=before} to {=after}."
        elif self._rolls_dice:
            text = "By dice, the chance of {@seat} goes from {=before} to {=after}."
        else:
            text = "By luck, the chance of {@seat} goes from {=before} to {=after}."
        return Message.of(text, by=point.by, seat=seat, before=before, after=after)

    def with_margin(self, change: Message, point: TurningPoint) -> Markup:
        """Return the change at a turning point as a sentence with its margin of error."""
        return Markup("{} ({}).").format(
            Markup(self.html_at(point.n, change).removesuffix(".")), self._margin(point.error)
        )

    def event_sentence(self, n: int) -> Markup:
        """Return the description of event `n`."""
        return with_isolates(self._view.sentence(n, str, isolate, self._locale))

    def alternative_sentence(self, point: TurningPoint) -> Markup:
        """Return a better choice that was found, or an empty text."""
        other, game = point.alternative, self._view.game
        event = alternative_event(game, point) if other and other.is_better else None
        if other is None or event is None:
            return Markup()
        described = sentence(game, event, (), self._shown.names_at(point.n), locale=self._locale).rstrip(".")
        described = escape_invisible(described)
        text = "Better, with a chance of {=chance}: {=event}."
        return self.html(Message.of(text, chance=self.number(other.chance), event=described))

    def totals_explanation(self) -> list[Markup]:
        """Return the meaning of the totals."""
        luck = (
            "By dice: how much better than expected the rolls were."
            if self._rolls_dice
            else "By luck: how much better than expected the rolls and draws were."
        )
        notes = [
            Message.of(luck),
            Message.of("By choices: the decisions of all players. A mistake of one is a gain of the others."),
        ]
        if self._has_contests():
            text = (
                "Extra wins, beside the points of a player, count contests instead: contests won, minus the "
                "contests expected from the odds."
            )
            notes.append(Message.of(text))
        if any(round(total.rest, 2) for total in self._analysis.totals):
            notes.append(Message.of("By other events: takebacks, rulings and clocks."))
        if any(total.error for total in self._analysis.totals):
            notes.append(Message.of("± is the margin of error."))
        if self._analysis.playouts and not self._analysis.turning_points:
            text = "There is no turning point: no event changed a chance by more than the margin of error."
            notes.append(Message.of(text))
        return [*map(self.html, notes)]

    def curve_explanation(self) -> list[Markup]:
        """Return the meaning of the band, of the turning points and of the line."""
        analysis, seats = self._analysis, len(self._analysis.seats)
        notes = list[Message]()
        if analysis.playouts:
            text = (
                "The pale band and the numbers after ± are the margin of error: the true value is within it "
                "with a probability of 95%. It comes from {n} games that the bot played on from before and "
                "after {examined} {examined:event|events}. Between these events, the line is an estimate, "
                "and the band does not include the error of the estimate."
            )
            notes.append(Message.of(text, n=analysis.playouts, examined=analysis.examined))
            text = (
                "A turning point is a roll or a choice that changed a chance by more than the margin of "
                "error of all examined changes together, which is wider than ±. {examined} of {large} large "
                "{large:change was|changes were} examined."
            )
            notes.append(Message.of(text, examined=analysis.examined, large=analysis.large))
        else:
            text = (
                "The whole line is an estimate. It has no band and no turning points, because the bot did "
                "not play on from any event."
            )
            notes.append(Message.of(text))
        if seats > 1:
            notes.append(Message.of("The line shows the mean of the last {n} different chances.", n=seats))
        return [*map(self.html, notes)]

    def compared_ranges(self) -> list[CalibrationBin]:
        """Return the ranges of chances to compare with wins.

        With two players, each range below a half mirrors a range above it, and the range around a half has
        the mean of one half by definition.
        """
        bins = self._analysis.calibration
        return [one for one in bins if len(self._analysis.seats) != 2 or one.low >= 0.5]

    def calibration_row(self, one: CalibrationBin) -> tuple[str, str, str, str, str]:
        """Return one range of chances, its positions, mean chance and share of wins, and the interval."""
        interval = self._interval(one)
        return (
            self._percent(one.low, one.high),
            str(one.positions),
            self._percent(one.called),
            self._percent(one.won),
            self._percent(interval.low, interval.high),
        )

    def calibration_sentences(self) -> Markup:
        """Return the number of games of the calibration, and its result."""
        checked = self._analysis.checked_games
        outside = sum(
            not self._interval(one).low <= one.called <= self._interval(one).high
            for one in self.compared_ranges()
        )
        if checked < MIN_CHECKED_GAMES:
            text = (
                "The estimate behind the curve was compared with {n} {n:other game|other games} of the bot, "
                "too few to say whether it is right."
            )
        elif self._analysis.slope < OVERCONFIDENT:
            text = (
                "The estimate behind the curve was compared with {n} {n:other game|other games} of the bot. "
                "The chances were overconfident."
            )
        elif outside:
            text = (
                "The estimate behind the curve was compared with {n} {n:other game|other games} of the bot. "
                "In {outside} {outside:range|ranges} of the table, the share of wins differs from the "
                "chances by more than the smallest error."
            )
        else:
            text = (
                "The estimate behind the curve was compared with {n} {n:other game|other games} of the bot. "
                "The chances were right within their error."
            )
        return self.html(Message.of(text, n=checked, outside=outside))

    def _interval(self, one: CalibrationBin) -> Interval:
        """Return the smallest interval of the share of wins: the positions of a game have one result."""
        independent = min(one.positions, self._analysis.checked_games)
        return share_interval(one.won * independent, independent)

    def _percent(self, *parts: float) -> str:
        """Return shares as whole percentages, with the sign as the language writes it."""
        return "–".join(str(round(100 * part)) for part in parts) + _PERCENT[self._language]

    def _has_contests(self) -> bool:
        """Return whether the cards of the players show extra wins."""
        return any(
            fact.tag == "contest" for n in range(self._view.last_played) for fact in self._view.facts(n + 1)
        )

    def _margin(self, error: float) -> str:
        return f"\u00b1{self.number(margin(error))}"

    def _has_only_dice(self) -> bool:
        """Return whether all kinds of chance events in the game were rolls of dice."""
        view, first = self._view, dict[str, int]()
        for point in self._analysis.points:
            if point.cause == "luck":
                first.setdefault(view.event_fact(point.n).tag, point.n)
        due = [view.position(n - 1).pending.chance for n in first.values()]
        return all(isinstance(draw, Dice) for chance in due if chance for draw in chance.draws)
