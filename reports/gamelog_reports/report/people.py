"""What people are called in a report: by their names, or by pseudonyms that are the same all through it."""

from __future__ import annotations

from functools import cached_property

from gamelog.archive import Pseudonyms, Reader, SubprocessReader
from gamelog.play.recording.anonymity import is_drawn
from gamelog.record.escaping import visible


class People:
    """Names by player, as the archive tells players apart. Bots keep their names, for they are nobody.

    Pseudonyms are those of an anonymous pack of the same records.
    """

    def __init__(self, reader: Reader | SubprocessReader, anonymous: bool) -> None:
        self.anonymous = anonymous
        self._reader = reader
        self._pseudonyms = (
            Pseudonyms(head for (head,) in reader.ask("SELECT head FROM files").rows) if anonymous else None
        )

    def name(self, player: str | None) -> str:
        """What to call `player`; somebody of whom nothing is known is nobody in particular."""
        if player is None:
            return "unnamed"
        return self._known.get(player) or self._name(player, False, None, None)

    @cached_property
    def _known(self) -> dict[str, str]:
        """What to call each of them."""
        rows = self._reader.ask(
            "SELECT player, coalesce(bool_and(bot IS NOT DISTINCT FROM player), false), mode(name), "
            "min(person) FROM sittings WHERE player IS NOT NULL GROUP BY player"
        ).rows
        return {player: self._name(player, *known) for player, *known in rows}

    def _name(self, player: str, bot: bool, name: str | None, person: str | None) -> str:
        if bot:
            return f"{player} (bot)"
        kind, _, known = (person or "").partition(":")
        if self._pseudonyms:
            return self._pseudonyms.of(known or player)
        return visible(f"{name} ({player})" if name and kind == "id" and name != player else player)

    def record(self, id: str) -> str:
        """What to call a record: the beginning of its id."""
        return (self._pseudonyms.record(id) if self._pseudonyms and not is_drawn(id) else id)[:8]

    def seated(self, id: str, seat: str | None, n: int) -> str:
        """What to call who sat at `seat` in the record `id` at event `n`, with the seat."""
        if seat is None:
            return ""
        rows = self._reader.ask(
            "SELECT player FROM sittings WHERE id = $id AND seat = $seat AND $n >= from_n "
            "AND $n <= coalesce(to_n, $n)",
            {"id": id, "seat": seat, "n": n},
        ).rows
        return f"{self.name(rows[0][0])}, {seat}" if rows and rows[0][0] else seat
