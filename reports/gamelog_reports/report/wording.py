"""The words of a report in one language: sentences, numbers, and conclusions from tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamelog.message import Message, Renderer
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.locales import load_locale
from gamelog.record.escaping import ISOLATED, isolate

_HOME = "gamelog_reports"
"""The package with the translations of the report's sentences."""

MIN_GAMES = 20
"""Minimum number of games for a conclusion. With fewer, an interval spans half of all possible shares."""

MIN_DRAWN = 5
"""Minimum number of games for a chart. A chart of fewer games would be misleading."""

LEVEL = 0.05
"""The usual probability below which a result is called unlikely by chance."""

_SEPARATORS = {"en": (",", "."), "pt": ("\u00a0", ",")}
"""The separator of thousands and of decimals in each language."""


class _Count(int):
    """A whole number that is shown with separators of thousands."""

    shown: str

    def __str__(self) -> str:
        return self.shown


def _isolate(text: str) -> str:
    """Return `text` isolated by direction marks, unless it is a sentence that has such marks already."""
    return text if ISOLATED.search(text) else isolate(text)


class Wording:
    """A renderer of sentences and numbers of a report in `language`, with the words of a `game` if given."""

    def __init__(self, language: str = "en", game: AnyGame | None = None) -> None:
        self.language = language
        self._locale = load_locale(language, game, _HOME)
        self._renderer = Renderer(self._locale)
        self._thousands, self._decimal = _SEPARATORS[language]

    def __call__(self, template: str, /, **args: object) -> str:
        """Return the sentence for an English template and its arguments (`gamelog.message`).

        Right-to-left values get direction marks, so that they do not change the order of the words around
        them.
        """
        message = Message(template, {name: self._shown(value) for name, value in args.items()})
        return self._renderer.text(message, _isolate)

    def _shown(self, value: object) -> object:
        if not isinstance(value, int) or isinstance(value, bool):
            return value
        count = _Count(value)
        count.shown = self.number(value)
        return count

    def number(self, value: float, decimals: int = 0, sign: str = "-") -> str:
        """Return a number with separators. With the `sign` "+", positive numbers have a sign too."""
        text = f"{value:{sign},.{decimals}f}"
        return text.translate({ord(","): self._thousands, ord("."): self._decimal})

    def percent(self, part: float) -> str:
        """Return a part of 1 as a percentage, with a decimal only near 0 and 1."""
        near_end = 0 < part < 0.01 or 0.99 < part < 1
        return self("{=number}%", number=self.number(part * 100, 1 if near_end else 0))

    def probability(self, p: float | None) -> str:
        """Return ``p = 0.03``, with no more digits than are meaningful, or nothing without a test."""
        if p is None:
            return ""
        if p < 0.001:
            return f"p < {self.number(0.001, 3)}"
        return f"p = {self.number(p, 3 if p < 0.1 else 2)}"

    def word(self, text: str | None) -> str:
        """Return a word of the game, such as ``roll_off``, as people read it."""
        return self._locale.word(text or "").replace("_", " ")

    def ordinal(self, number: int) -> str:
        """Return ``1st`` for 1."""
        if self.language == "pt":
            return f"{number}.º"
        return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")

    def join(self, parts: Sequence[str]) -> str:
        """Return `parts` as one list, or an empty text if there are none."""
        return self._locale.join(parts)

    def several_tests(self, p_values: Iterable[float | None]) -> str:
        """Return the conclusion from the p-values of several comparisons (Bonferroni's correction).

        None stands for a comparison without a test and is left out.
        """
        ps = [p for p in p_values if p is not None]
        if not ps:
            return ""
        count, smallest_p = len(ps), min(ps)
        below_level, smallest = sum(p < LEVEL for p in ps), self.probability(smallest_p)
        if count == 1 and below_level:
            return self("Chance alone seldom produces such a difference ({=p}).", p=smallest)
        if count == 1:
            return self("Chance alone often produces such a difference ({=p}).", p=smallest)
        expected = self(
            "Of {k} comparisons, chance alone puts about {=expected} below 0.05; here {low} "
            "{low:is|are} below 0.05.",
            k=count,
            expected=self.number(count * LEVEL, 1),
            low=below_level,
        )
        if smallest_p * count < LEVEL:
            end = self(
                "The smallest, {=p}, is below 0.05 even when multiplied by {k}, so this result "
                "is hardly due to chance.",
                p=smallest,
                k=count,
            )
        elif below_level:
            end = self(
                "Even the smallest ({=p}) is not below 0.05 when multiplied by {k}, so this "
                "result may be due to chance.",
                p=smallest,
                k=count,
            )
        else:
            end = self("No result differs from chance.")
        return f"{expected} {end}"
