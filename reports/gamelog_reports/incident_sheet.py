"""The sheet about one event: a page to print, with all that a referee is asked and lines for signatures."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from gamelog.chance.draws import Dice
from gamelog.dispute.incident import DISPUTES, incident, last
from gamelog.dispute.incident_words import incident_words
from gamelog.dispute.origins import origin_of
from gamelog.message import Message, Renderer, plain_text
from gamelog.play.contract.game import ChanceDue
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.digest import play_digest
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.telling.sentences import locale, sentence
from gamelog.play.view.record_view import RecordView
from gamelog.record.envelope import Event, proposal, tag_of
from gamelog_reports import bundle
from gamelog_reports.board_svg import scene_svg
from gamelog_reports.templates import page_template, texts


def sheet_policy() -> str:
    """The security policy of every such page: its own style, pictures that stand in it, and nothing else."""
    style = bundle.csp_digest(bundle.style("base", "sheet"))
    return f"default-src 'none'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'"


def incident_sheet(replayed: FoldedRecord, n: int, language: str = "en") -> str:
    """The page about event `n`, 1 to the last there is to tell of. It shows the whole table.

    Boards before and after, what was played, the rule's words, what was legal, the odds, claims and rulings,
    the head of the line, and a line for each signature. Nothing in it runs, and nothing is loaded. Raises
    ValueError for another `n`, and for a `language` that pages do not speak.
    """
    fold = replayed.fold
    assert fold is not None, "a record that cannot be folded has no events"
    if not 1 <= n <= last(replayed):
        raise ValueError(f"there is no event {n}; the last event is {last(replayed)}")
    header = fold.header
    words, teller = texts(language), _Teller(fold, language)
    told = incident_words(
        incident(replayed, n, language=language), fold, teller.decision, teller.due, teller.say
    )
    return page_template("sheet").render(
        policy=sheet_policy(),
        language=language,
        t=words,
        style=bundle.style("base", "sheet"),
        game=fold.game.title,
        header=header,
        people=[(teller.word(seat.seat), teller.called(seat.seat)) for seat in header.seats],
        n=n,
        told=told,
        pictures=list(teller.pictures(n)),
        origins=origin_of(header, n),
        head=replayed.record.head_at(n),
        events=len(replayed.record.bodies),
        last=replayed.record.head_at(len(replayed.record.bodies)),
        play=play_digest(fold, replayed.events),
    )


class _Teller:
    """What the sheet says of `fold`, in `language`."""

    def __init__(self, fold: Fold, language: str) -> None:
        self._fold = fold
        self._locale = locale(language, fold.game, DISPUTES)
        self._renderer = Renderer(self._locale, fold.session.name_of)

    def say(self, message: Message) -> str:
        """A message in the language of the sheet."""
        return self._renderer.text(message)

    def word(self, text: str) -> str:
        """A value of the game's."""
        return self._locale.word(text)

    def called(self, seat: str) -> str:
        """Who sits at `seat`, or how it is called."""
        name = self._fold.session.name_of(seat)
        return self.word(name) if name == seat else name

    def decision(self, event: Event) -> str:
        """A decision in a sentence, or as it is written where the game has none for it."""
        told = sentence(self._fold.game, event, (), self._fold.session.name_of, spoken=self._locale)
        members = [(name, value) for name, value in proposal(event).items() if name not in ("do", "by")]
        parts = [f"{self.say(Message(name))} {self.word(plain_text(value))}" for name, value in members]
        return told or f"{self._named(tag_of(type(event)))} {', '.join(parts)}".rstrip()

    def due(self, owed: ChanceDue) -> str:
        """What is to be rolled or drawn."""
        parts = [
            Message.of("{n} {n:die|dice}", n=draw.count)
            if isinstance(draw, Dice)
            else Message.of("{n} {n:draw|draws}", n=draw.count)
            for draw in owed.draws
        ]
        return f"{self._named(owed.do)}: {self.say(Message(', then ')).join(map(self.say, parts))}"

    def pictures(self, n: int) -> Iterator[dict[str, Any]]:
        """The positions before and after event `n`; of a refused one there is none after it."""
        yield self._picture(n - 1)
        if n <= self._fold.n:
            yield self._picture(n)

    def _named(self, tag: str) -> str:
        return self.say(Message(tag.replace("_", " ")))

    def _picture(self, n: int) -> dict[str, Any]:
        """The position after event `n`, as a picture that stands alone, with its points."""
        position = RecordView(self._fold).position(n)
        svg = scene_svg(position.scene, seats=self._fold.header.seat_ids, word=self.word)
        return {
            "source": f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}",
            "score": ", ".join(f"{self.called(seat)} {count}" for seat, count in position.score.items()),
        }
