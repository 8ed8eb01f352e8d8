"""The incident sheet: a page for printing with the facts about one event and lines for signatures."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from gamelog.chance.draws import Dice
from gamelog.dispute import MESSAGE_PACKAGE
from gamelog.dispute.incident import incident, last_incident
from gamelog.dispute.incident_words import incident_words
from gamelog.dispute.origins import origin_of
from gamelog.message import Message, Renderer, plain_text
from gamelog.play.contract.game import ChanceDue
from gamelog.play.contract.locales import load_locale
from gamelog.play.judging.digest import play_digest
from gamelog.play.judging.fold_record import FoldedRecord
from gamelog.play.rendering.sentences import sentence
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import Event, as_proposal, tag_of
from gamelog_reports import bundle
from gamelog_reports.board_svg import scene_svg
from gamelog_reports.templates import page_template, tag_text, texts


def sheet_policy() -> str:
    """Return the security policy of printed pages. It allows only their own style and embedded pictures."""
    style = bundle.csp_digest(bundle.style("base", "sheet"))
    return f"default-src 'none'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'"


def incident_sheet(folded: FoldedRecord, n: int, language: str = "en") -> str:
    """Return the page about event `n`, for readers who can see the whole table.

    The page has the event, the boards before and after it, the rule, the legal events and the odds. Claims,
    rulings, the head after the event and a line for each signature follow. The page has no script and loads
    nothing.

    Raises:
        ValueError: There is no event `n`, or pages do not have the `language`.
    """
    fold = folded.fold
    assert fold is not None, "a record that cannot be folded has no events"
    if not 1 <= n <= last_incident(folded):
        raise ValueError(f"there is no event {n}. The last event is event {last_incident(folded)}")
    header, view = fold.header, RecordView(fold, unfolded=folded.unfolded_events)
    words, text = texts(language), _SheetText(view, n, language)
    sentences = incident_words(
        incident(folded, n, language=language), folded, text.decision, text.due, text.render
    )
    return page_template("sheet").render(
        policy=sheet_policy(),
        language=language,
        t=words,
        style=bundle.style("base", "sheet"),
        game=fold.game.title,
        header=header,
        started=re.sub(r"^(.{10})T(.{5}).*Z$", r"\1 \2 UTC", header.started),
        tags=[tag_text(*tag, language) for tag in header.tags.items()],
        people=[(text.word(seat.seat), text.name(seat.seat)) for seat in header.seats],
        n=n,
        told=sentences,
        pictures=list(text.pictures(n)),
        origins=origin_of(header, n),
        head=folded.record.head_at(n),
        events=len(folded.record.bodies),
        last=folded.record.head_at(len(folded.record.bodies)),
        play=play_digest(fold, folded.events),
    )


class _SheetText:
    """The texts and pictures of a sheet about event `n` of `view`, in `language`."""

    def __init__(self, view: RecordView, n: int, language: str) -> None:
        self._view, self._name_of = view, view.names_at(n)
        self._locale = load_locale(language, view.game, MESSAGE_PACKAGE)
        self._renderer = Renderer(self._locale, self._name_of)

    def render(self, message: Message) -> str:
        """Return a message in the language of the sheet."""
        return self._renderer.text(message)

    def word(self, text: str) -> str:
        """Return a word of the game in the language of the sheet."""
        return self._locale.word(text)

    def name(self, seat: str) -> str:
        """Return the name of the player at `seat` at the event, or the word for the seat without a name."""
        name = self._name_of(seat)
        return self.word(name) if name == seat else name

    def decision(self, event: Event) -> str:
        """Return a decision as a sentence, or as its members if the game has no sentence for it."""
        text = sentence(self._view.game, event, (), self._name_of, locale=self._locale)
        members = [(name, value) for name, value in as_proposal(event).items() if name not in ("do", "by")]
        parts = [f"{self.render(Message(name))} {self.word(plain_text(value))}" for name, value in members]
        return text or f"{self._tag_text(tag_of(type(event)))} {', '.join(parts)}".rstrip()

    def due(self, chance_due: ChanceDue) -> str:
        """Return the roll or draw that is due, in words."""
        parts = [
            Message.of("{n} {n:die|dice}", n=draw.count)
            if isinstance(draw, Dice)
            else Message.of("{n} {n:draw|draws}", n=draw.count)
            for draw in chance_due.draws
        ]
        separator = self.render(Message.of(", then "))
        return f"{self._tag_text(chance_due.do)}: {separator.join(map(self.render, parts))}"

    def pictures(self, n: int) -> Iterator[dict[str, Any]]:
        """Yield the positions before and after event `n`. A refused event has no position after it."""
        yield self._picture(n - 1)
        if n <= self._view.last_played:
            yield self._picture(n)

    def _tag_text(self, tag: str) -> str:
        return self.render(Message(tag.replace("_", " ")))

    def _picture(self, n: int) -> dict[str, Any]:
        """Return the position after event `n` as a picture, with the points."""
        position = self._view.position(n)
        svg = scene_svg(position.scene, seats=self._view.game.all_seats, word=self.word)
        return {
            "source": f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}",
            "score": ", ".join(f"{self.name(seat)} {count}" for seat, count in position.score.items()),
        }
