"""The answer of a study in words: four questions, and each measure with its interval and its differences."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from gamelog.play.contract.registry import find
from gamelog.study.asking import StudyAnswer
from gamelog.study.measures import Measure
from gamelog.study.results import NEGLIGIBLE_SHARE, Comparison, Estimate, MeasureResult
from gamelog_reports.report.wording import Wording
from gamelog_reports.templates import texts

TOPICS = {
    "fairness": ("adjusted", "turn", "seat"),
    "length": ("events", "turns", "minutes"),
    "drama": ("lead_changes", "for_good", "behind", "quarter"),
    "skill": ("skill", "luck", "choices", "forced"),
    "endings": ("end", "undecided"),
}
"""The measures of each topic, by the part of their names before a colon. The first ones are main measures."""

_ALMOST_ALL = 0.95
"""Share of the victories of a stronger bot above which variants can hardly differ in skill."""

QUESTIONS = ("fairness", "length", "drama", "skill")
"""The topics with a question that a main measure answers."""


Verdict = Literal["yes", "no", "same", "unknown"]
"""The answer to a question about two variants."""


class Line(Struct, frozen=True):
    """A measure in words.

    Attributes:
        name: Name of the measure.
        about: Definition of the measure.
        source: Literature that uses it.
        values: Estimate of each variant with its interval.
        differences: Difference of each other variant, with its interval; empty with too few games.
        probabilities: Corrected probability of each difference.
        sentences: What the estimates and differences mean.
        is_found: Whether a difference was found.
    """

    name: str
    about: str
    source: str
    values: tuple[str, ...]
    differences: tuple[str, ...]
    probabilities: tuple[str, ...]
    sentences: tuple[str, ...]
    is_found: bool


class Answer(Struct, frozen=True):
    """The answer to the question of a topic for one variant.

    Attributes:
        variant: Name of the variant that is compared with the first one.
        verdict: ``same`` if no difference was found, ``unknown`` if the games cannot show one.
        word: Verdict in one or some words.
        sentence: Sentence that the verdict rests on.
    """

    variant: str
    verdict: Verdict
    word: str
    sentence: str


class Topic(Struct, frozen=True):
    """The measures of one topic.

    Attributes:
        slug: Name of the topic in addresses.
        question: Question that the main measure answers, or an empty text.
        answers: The answer for each other variant.
    """

    slug: str
    title: str
    question: str
    answers: tuple[Answer, ...]
    lines: tuple[Line, ...]


def _are_all_won(skill: MeasureResult) -> bool:
    """Return whether the stronger bot wins almost every game in all variants."""
    return all(one.value > _ALMOST_ALL for one in skill.estimates.values())


def _are_all_lost(skill: MeasureResult) -> bool:
    """Return whether the bot that is named as the stronger one loses almost every game in all variants."""
    return all(one.value < 1 - _ALMOST_ALL for one in skill.estimates.values())


class StudyWords:
    """The sentences about the answer of a study in one language."""

    def __init__(self, answer: StudyAnswer, language: str = "en") -> None:
        self.answer = answer
        self.say = Wording(language, find(answer.game))
        self.texts = texts(language)

    @property
    def heading(self) -> str:
        """The heading: the game and its variants."""
        say, answer = self.say, self.answer
        if len(answer.variants) == 1:
            return say("Study of {=game}", game=answer.title)
        return say("Study of {=game}: {=variants}", game=answer.title, variants=say.join(answer.variants))

    def games_sentences(self) -> list[str]:
        """Return sentences on the games of the study."""
        say, answer = self.say, self.answer
        counts = {name: count for name, count in answer.games.items() if count}
        if not counts:
            return [say("The study has no finished game yet.")]
        if not answer.is_paired:
            parts = [say("{=variant}: {n} {n:game|games}", variant=name, n=n) for name, n in counts.items()]
            text = "Recorded games of {players} players: {=parts}. The samples are independent."
            return [say(text, players=answer.players, parts="; ".join(parts)), self._strengths_sentence()]
        text = (
            "{n} {n:game|games} of each variant with {players} players, in which one bot plays all seats, "
            "and {others} {others:game|games} of unequal bots."
        )
        sentences = [
            say(
                text,
                n=max(counts.values()),
                players=answer.players,
                others=max(answer.others.values(), default=0),
            )
        ]
        if len(answer.variants) > 1:
            text = (
                "All variants have the same dice and draws by their order, the same line-ups and the same "
                "chance of the bots, so the games are compared in pairs."
            )
            sentences.append(say(text))
        if answer.is_sequential:
            sentences.append(
                say("The intervals and probabilities of differences hold however often you look.")
            )
        return sentences

    def _strengths_sentence(self) -> str:
        """Return the sentence on the strengths of the people in recorded games."""
        if any(result.measure.name == "adjusted" for result in self.answer.results):
            text = (
                "The advantage of the first player takes the strengths of the players into account, by the "
                "ratings from the same games. The other measures do not."
            )
        else:
            text = (
                "The strengths of the players are not taken into account, because a sample has too few games "
                "for that."
            )
        return self.say(text)

    def gain_sentence(self) -> str:
        """Return the sentence on the gain of pairing for the main measures, or an empty text."""
        say = self.say
        gains = [
            say("{=name}: {=gain}", name=self.name(result.measure), gain=say.number(one.gain, 1))
            for result in self.answer.results
            if result.measure.is_main
            for one in result.differences.values()
            if one.gain is not None
        ]
        if not gains:
            return ""
        text = "Number of unpaired games that one paired game replaces: {=gains}."
        return say(text, gains="; ".join(gains))

    def luck_sentence(self) -> str:
        """Return the sentence on the gain of results less their luck, or an empty text."""
        say = self.say
        gains = [
            say("{=name}: {=gain}", name=name, gain=say.number(1 / (1 - one.value), 2))
            for result in self.answer.results
            if result.measure.name == "luck"
            for name, one in result.estimates.items()
            if one.value < 1
        ]
        if not gains:
            return ""
        text = "Number of results that one result less its luck replaces: {=gains}."
        return say(text, gains="; ".join(gains))

    def topics(self) -> list[Topic]:
        """Return the topics with their measures."""
        topics = []
        for slug, stems in TOPICS.items():
            results = [
                result
                for stem in stems
                for result in self.answer.results
                if result.measure.name.partition(":")[0] == stem
            ]
            if results:
                asks = slug in QUESTIONS and len(self.answer.variants) > 1
                topics.append(
                    Topic(
                        slug,
                        self.texts[f"study_{slug}"],
                        self.texts[f"study_{slug}_question"] if asks else "",
                        self._answers(results) if asks else (),
                        tuple(map(self.line, results)),
                    )
                )
        return topics

    def _answers(self, results: list[MeasureResult]) -> tuple[Answer, ...]:
        """Return the answer for each other variant, by the main measure among `results`."""
        main = next((result for result in results if result.measure.is_main), None)
        return tuple(self._answer(main, name) for name in self.answer.variants[1:])

    def _answer(self, main: MeasureResult | None, variant: str) -> Answer:
        """Return the answer for a variant by the main measure, or "unknown" with the reason."""
        one = main.differences.get(variant) if main else None
        verdict: Verdict = "unknown"
        if main is None:
            text = "The study has no games of unequal bots. Name several bots, the weakest first."
            sentence = self.say(text)
        elif one is None:
            sentence = self.say("There are too few games.")
        elif main.measure.name.startswith("skill:") and _are_all_won(main):
            text = (
                "The stronger bot wins almost every game, so these bots cannot show a difference in "
                "skill. Compare bots of closer strength."
            )
            sentence = self.say(text)
        elif main.measure.name.startswith("skill:") and _are_all_lost(main):
            text = (
                "The bot that is named as the stronger one loses almost every game. Name the weakest bot "
                "first."
            )
            sentence = self.say(text)
        else:
            verdict = "same"
            if one.found:
                verdict = "yes" if self._is_better(main, variant, one) else "no"
            sentences = (self.difference_sentence(main.measure, variant, one), self.pairs_sentence(main, one))
            sentence = " ".join(filter(None, sentences))
        return Answer(variant, verdict, self.texts[f"study_{verdict}"], sentence)

    def _is_better(self, main: MeasureResult, name: str, one: Comparison) -> bool:
        """Return whether the found difference answers the question of its topic with yes."""
        stem = main.measure.name.partition(":")[0]
        if stem in ("turn", "adjusted") and main.measure.fair is not None:
            before, after = (
                abs(main.estimates[variant].value - main.measure.fair)
                for variant in (self.answer.variants[0], name)
            )
            return after < before
        return one.value < 0 if stem == "events" else one.value > 0

    def name(self, measure: Measure) -> str:
        """Return the name of a measure."""
        stem, _, rest = measure.name.partition(":")
        text = self.texts[f"study_{stem}_name"]
        if stem in ("turn", "seat"):
            return text.replace("{0}", self.say.ordinal(int(rest)))
        if stem == "quarter":
            return text.replace("{0}", self.say.percent(int(rest) / 4))
        if stem == "skill":
            stronger, weaker = rest.split(">")
            return text.replace("{0}", stronger).replace("{1}", weaker)
        return text.replace("{0}", self.say.word(rest or self.answer.unit))

    def line(self, result: MeasureResult) -> Line:
        """Return one measure in words."""
        measure, answer = result.measure, self.answer
        others = [(name, result.differences.get(name)) for name in answer.variants[1:]]
        sentences = [self.fair_sentence(measure, name, one) for name, one in result.estimates.items()]
        for name, one in others:
            if one:
                sentences += [self.difference_sentence(measure, name, one), self.pairs_sentence(result, one)]
        return Line(
            self.name(measure),
            self.texts[f"study_{measure.name.partition(':')[0]}_about"],
            measure.source,
            tuple(self.estimate(measure, result.estimates.get(name)) for name in answer.variants),
            tuple(self.signed(measure, one) if one else "" for _, one in others),
            tuple(self.say.probability(one.corrected) if one else "" for _, one in others),
            tuple(filter(None, sentences)),
            any(one.found for one in result.differences.values()),
        )

    def value(self, measure: Measure, value: float) -> str:
        """Return a value of a measure as text."""
        return (
            self.say.number(value, 1 if abs(value) >= 10 else 2)
            if measure.kind == "number"
            else self.say.percent(value)
        )

    def estimate(self, measure: Measure, one: Estimate | None) -> str:
        """Return an estimate with its interval."""
        if one is None:
            return "–"
        if one.low is None or one.high is None:
            return self.value(measure, one.value)
        ends = f"{self.value(measure, one.low)}–{self.value(measure, one.high)}"
        return self.say("{=value} ({=ends})", value=self.value(measure, one.value), ends=ends)

    def amount(self, measure: Measure, value: float, *, is_signed: bool = False) -> str:
        """Return a difference as text: a number, or percentage points."""
        sign = "+" if is_signed else "-"
        if measure.kind == "number":
            return self.say.number(value, 1 if abs(value) >= 10 else 2, sign)
        return self.say.number(value * 100, 1, sign)

    def size(self, measure: Measure, value: float) -> str:
        """Return the size of a difference with its unit."""
        amount = self.amount(measure, value)
        return amount if measure.kind == "number" else self.say("{=amount} percentage points", amount=amount)

    def signed(self, measure: Measure, one: Comparison) -> str:
        """Return a difference with its interval."""
        low, high = (self.amount(measure, end, is_signed=True) for end in (one.low, one.high))
        text = (
            "{=value} ({=low} to {=high})"
            if measure.kind == "number"
            else "{=value} points ({=low} to {=high})"
        )
        return self.say(text, value=self.amount(measure, one.value, is_signed=True), low=low, high=high)

    def fair_sentence(self, measure: Measure, variant: str, one: Estimate) -> str:
        """Return the sentence that compares an estimate with an equal share, if it has one."""
        if measure.fair is None or one.low is None or one.high is None:
            return ""
        say = self.say
        values = {
            "measure": self.name(measure),
            "variant": variant,
            "value": self.value(measure, one.value),
            "fair": say.short_percent(measure.fair),
            "ends": f"{self.value(measure, one.low)}–{self.value(measure, one.high)}",
        }
        if one.low <= measure.fair <= one.high:
            text = (
                "{=measure}, {=variant}: {=value} is not distinguishable from the equal share of {=fair} "
                "(95% interval {=ends})."
            )
        elif one.value > measure.fair:
            text = (
                "{=measure}, {=variant}: {=value} is more than the equal share of {=fair} (95% interval "
                "{=ends})."
            )
        else:
            text = (
                "{=measure}, {=variant}: {=value} is less than the equal share of {=fair} (95% interval "
                "{=ends})."
            )
        return say(text, **values)

    def pairs_sentence(self, result: MeasureResult, one: Comparison) -> str:
        """Return the sentence on a difference that rests on a part of the pairs, or an empty text."""
        most = max(estimate.units for estimate in result.estimates.values())
        if not self.answer.is_paired or one.units == most:
            return ""
        text = (
            "This difference rests on the {n} {n:pair|pairs} of games in which both variants have a value, "
            "so it can differ from the difference of the means."
        )
        return self.say(text, n=one.units)

    def difference_sentence(self, measure: Measure, variant: str, one: Comparison) -> str:
        """Return the sentence on the difference of `variant` from the first variant."""
        if one.found and one.value > 0:
            text = (
                "{=measure}: {=value} more with {=variant} than with {=first} (95% interval {=low} to "
                "{=high}; {=p})."
            )
        elif one.found:
            text = (
                "{=measure}: {=value} less with {=variant} than with {=first} (95% interval {=low} to "
                "{=high}; {=p})."
            )
        elif one.detectable == 0:
            text = "{=measure}: {=variant} and {=first} have the same value in all {n} {n:game|games}."
        elif measure.kind != "number" and max(-one.low, one.high) <= NEGLIGIBLE_SHARE:
            text = (
                "{=measure}: the difference between {=variant} and {=first} is shown to be below 5 "
                "percentage points (95% interval {=low} to {=high}; {=p})."
            )
        else:
            text = (
                "{=measure}: no difference was found between {=variant} and {=first}. A difference of at "
                "least {=least} would have been found with 80% probability (95% interval {=low} to {=high}; "
                "{=p})."
            )
        return self.say(
            text,
            n=one.units,
            measure=self.name(measure),
            variant=variant,
            first=self.answer.variants[0],
            value=self.size(measure, abs(one.value)),
            low=self.amount(measure, one.low, is_signed=True),
            high=self.amount(measure, one.high, is_signed=True),
            p=self.say.probability(one.corrected),
            least=self.size(measure, one.detectable),
        )

    def correction_sentence(self) -> str:
        """Return the sentence on the correction for the number of differences, or an empty text."""
        counts = [
            sum(
                len(result.differences) for result in self.answer.results if result.measure.is_main is is_main
            )
            for is_main in (True, False)
        ]
        if not any(counts):
            return ""
        text = (
            "Probabilities of the main measures are corrected for {main} {main:difference|differences}, "
            "those of the other measures for {others} (Holm). A difference is found if its corrected "
            "probability is below 5%."
        )
        return self.say(text, main=counts[0], others=counts[1])

    def unseen_sentences(self) -> list[str]:
        """Return a sentence for each variant on the events and effects that never came up."""
        say, sentences = self.say, []
        for variant, kinds in self.answer.unseen.items():
            words = say.join([say.word(kind) for kind in kinds])
            text = (
                "{=variant}: these events and effects never came up: {=kinds}."
                if kinds
                else "{=variant}: all events and effects of the game came up."
            )
            sentences.append(say(text, variant=variant, kinds=words))
        return sentences
