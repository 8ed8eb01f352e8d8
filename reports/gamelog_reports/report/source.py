"""Where a report's sections have their numbers from."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from gamelog.archive import Reader, SubprocessReader
from gamelog_reports.report.people import People
from gamelog_reports.report.replay_links import Pages
from gamelog_reports.report.section import Hyperlink, TableCell


class Source(Struct, frozen=True):
    """An archive, one of its games (or all, None), what people are called, and the replay pages there are."""

    reader: Reader | SubprocessReader
    game: str | None
    people: People
    pages: Pages

    def ask(self, question: str, **values: Any) -> list[dict[str, Any]]:
        """Return the rows of a stock question about the game, or of SQL in which ``$game`` is the game."""
        return self.reader.ask(question, {"game": self.game, **values}).dicts()

    def pooled(self) -> tuple[str, ...]:
        """What is said of versions of the rules, and values of options, that are taken together here."""
        begin = f"{self.game}: games that differ in "
        notes = [note for note in self.reader.notes("endings", {"game": self.game}) if note.startswith(begin)]
        what = [note.removeprefix(begin).partition(" are taken together")[0] for note in notes]
        return tuple(
            f"Games that differ in {one} are taken together; gamelog query tells them apart with --by."
            for one in what
        )

    def finished_otherwise(
        self, part: Literal["made_by_play(result_by)", "to_the_end(result_by, gaps)"]
    ) -> int:
        """How many games that count were finished, but not as `part` says."""
        ((count,),) = self.reader.ask(
            f"SELECT count(*) FROM counted_games($game) WHERE finished AND NOT {part}", {"game": self.game}
        ).rows
        return int(count)

    def credited(self) -> tuple[str, ...]:
        """Return the sentence on results that several people made at one seat, if there are any."""
        return tuple(
            note.partition(" To count them")[0]
            for note in self.reader.notes("players", {"game": self.game})
            if " made by several people " in note
        )

    def interval(self, k: int, n: int) -> tuple[float, float]:
        """Wilson's 95 % interval of `k` of `n`, which is more than 0."""
        ((low, high),) = self.reader.ask(
            "SELECT wilson_low($k, $n), wilson_high($k, $n)", {"k": k, "n": n}
        ).rows
        return low, high

    def record(self, id: str, n: int | None = None) -> TableCell:
        """A record by the beginning of its id, which leads to its page at event `n` where there is one."""
        rows = self.reader.ask("SELECT path, member FROM games WHERE id = $id", {"id": id}).rows
        name = self.people.record(id)
        return self.file(rows[0][0], rows[0][1], n, name) if rows else name

    def file(self, path: str, member: str, n: int | None, text: str) -> TableCell:
        """`text`, as a link to the page of the record at `path` if there is one. Nameless: never."""
        href = "" if self.people.anonymous else self.pages.href(path, member, n)
        return Hyperlink(text, href) if href else text
