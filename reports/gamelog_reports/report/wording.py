"""The words of a report in one language: sentences, numbers and probabilities."""

from __future__ import annotations

from collections.abc import Sequence

from gamelog.message import Message, Renderer
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.locales import load_locale
from gamelog.record.escaping import ISOLATED, isolate

_HOME = "gamelog_reports"
"""The package with the translations of the report's sentences."""

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
        thousands, decimal = _SEPARATORS[language]
        self._signs = {ord(","): thousands, ord("."): decimal, ord("-"): "−"}

    def __call__(self, template: str, /, **args: object) -> str:
        """Return the sentence for an English template and its arguments (`gamelog.message`).

        Right-to-left values get direction marks, so that they do not change the order of the words around
        them.
        """
        if not args:
            return self._locale.messages.get(template, template)
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
        rounded = round(value, decimals) or 0  # without the sign of a zero
        text = f"{rounded:{sign if rounded else '-'},.{decimals}f}"
        return text.translate(self._signs)

    def format_halves(self, value: float) -> str:
        """Return a median of whole numbers, with one decimal if it is between two of them."""
        return self.number(value, int(value % 1 > 0))

    def percent(self, part: float, decimals: int = 0) -> str:
        """Return a part of 1 as a percentage, with at least one decimal near 0 and 1."""
        if 0.9995 <= part < 1:
            return self("{=number}%", number=f">{self.number(99.9, 1)}")
        if 0 < part < 0.0005:
            return self("{=number}%", number=f"<{self.number(0.1, 1)}")
        return self("{=number}%", number=self._percentage(part, decimals))

    def _percentage(self, part: float, decimals: int) -> str:
        near_end = 0 < part < 0.01 or 0.99 < part < 1
        rounded = round(part * 100, max(decimals, int(near_end)))
        return self.number(rounded, 0 if rounded in (0, 100) else max(decimals, int(near_end)))

    def short_percent(self, part: float) -> str:
        """Return a part of 1 as a percentage, with one decimal if it is not whole."""
        return self("{=number}%", number=self.number(part * 100, int(round(part * 100, 1) % 1 > 0)))

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

    def format_interval(self, low: float, high: float, decimals: int = 0) -> str:
        """Return the ends of an interval as percentages, from parts of 1."""
        return self(
            "{=number}%", number=f"{self._percentage(low, decimals)}–{self._percentage(high, decimals)}"
        )

    def corrected_probability(self, p: float, comparisons: int) -> str:
        """Return the probability `p` after Bonferroni's correction for this many comparisons."""
        return self(
            "{=p}, corrected for {n} {n:comparison|comparisons}",
            p=self.probability(min(1.0, p * comparisons)),
            n=comparisons,
        )
