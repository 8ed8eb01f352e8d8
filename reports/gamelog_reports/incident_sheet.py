"""The sheet about one event: a page to print, with all that a referee is asked and lines for signatures."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from gamelog.chance.draws import Dice
from gamelog.dispute.incident import incident, last
from gamelog.dispute.incident_words import incident_words
from gamelog.play.contract.game import ChanceDue
from gamelog.play.fold.fold import Fold
from gamelog.play.judging.digest import play_digest
from gamelog.play.judging.replay import FoldedRecord
from gamelog.play.telling.messages import plain_text, sentence
from gamelog.record.counting import many
from gamelog.record.envelope import Event, proposal, tag_of
from gamelog_reports import bundle
from gamelog_reports.board_svg import scene_svg
from gamelog_reports.pages import page_template


def sheet_policy() -> str:
    """The security policy of every such page: its own style, pictures that stand in it, and nothing else."""
    style = bundle.csp_digest(bundle.style("base", "sheet"))
    return f"default-src 'none'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'"


def incident_sheet(replayed: FoldedRecord, n: int) -> str:
    """The page about event `n`, 1 to the last that there is something to tell of. It shows the whole table, hidden things too.

    Boards before and after, what was played, the rule's words, what was legal, the odds, claims and rulings, the head of the
    line, and a line for each signature. Nothing in it runs, and nothing is loaded. Raises ValueError for another `n`.
    """
    fold = replayed.fold
    assert fold is not None, "a record that cannot be folded has no events"
    if not 1 <= n <= last(replayed):
        raise ValueError(f"there is no event {n} to tell of; the last is {last(replayed)}")
    header, name = fold.header, fold.session.name_of
    told = incident_words(incident(replayed, n), fold, lambda event: _decision(fold, event), _due)
    return page_template("sheet").render(
        policy=sheet_policy(),
        style=bundle.style("base", "sheet"),
        game=fold.game.title,
        header=header,
        people=[(seat.seat, name(seat.seat)) for seat in header.seats],
        n=n,
        told=told,
        pictures=list(_pictures(fold, n)),
        head=replayed.record.head_at(n),
        events=len(replayed.record.bodies),
        last=replayed.record.head_at(len(replayed.record.bodies)),
        play=play_digest(fold, replayed.events),
    )


def _pictures(fold: Fold, n: int) -> Iterator[dict[str, Any]]:
    """The positions before and after event `n`; of a refused one there is none after it."""
    yield _picture(fold, n - 1, f"Before event {n}")
    if n <= fold.n:
        yield _picture(fold, n, f"After event {n}")


def _picture(fold: Fold, n: int, caption: str) -> dict[str, Any]:
    """The position after event `n`, as a picture that stands alone, with its points."""
    svg = scene_svg(fold.game.scene(fold.states[n], None), seats=fold.header.seat_ids, title=caption)
    points = fold.score(n)
    return {
        "source": f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}",
        "caption": caption,
        "score": ", ".join(f"{fold.session.name_of(seat)} {count}" for seat, count in points.items()),
    }


def _decision(fold: Fold, event: Event) -> str:
    """A decision in a sentence, or as it is written where the game has none for it."""
    told = sentence(fold.game, event, (), fold.session.name_of)
    members = {member: value for member, value in proposal(event).items() if member not in ("do", "by")}
    return told or f"{tag_of(type(event)).replace('_', ' ')} {plain_text(members)}".rstrip()


def _due(owed: ChanceDue) -> str:
    """What is to be rolled or drawn."""
    parts = [many(draw.count, "die", "dice") if isinstance(draw, Dice) else many(draw.count, "draw") for draw in owed.draws]
    return f"{owed.do.replace('_', ' ')}: {', then '.join(parts)}"
