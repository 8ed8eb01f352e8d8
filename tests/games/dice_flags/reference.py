"""A second, slow and plain implementation of counts from the rules page, to compare the fast one with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from gamelog.games.dice_flags.army import MEN, SOLDIERS
from gamelog.games.dice_flags.state import PRISON, State

Path = tuple[str, ...]


class Reference:
    """Return the soldiers on each space of `state`, by name."""

    def __init__(self, state: State) -> None:
        setup = state.setup
        self.state, self.board = state, setup.board
        self.looks = dict(zip(self.board.names, self.board.looks, strict=True))
        self.near = {
            name: [self.board.names[at] for at in self.board.neighbours[number]]
            for number, name in enumerate(self.board.names)
        }
        self.where: dict[int, str] = {}
        self.standing: dict[str, list[int]] = defaultdict(list)
        for soldier, at in enumerate(state.places):
            if at < PRISON:
                self.where[soldier] = self.board.names[at]
                self.standing[self.board.names[at]].append(soldier)

    def is_grid(self, space: str) -> bool:
        return self.looks[space] in ("light", "dark")

    def is_blockade(self, space: str) -> bool:
        return not self.is_grid(space) and len(self.standing[space]) == 2

    def may_end(self, soldier: int, space: str) -> bool:
        options, men = self.state.setup.options, self.standing[space]
        if (
            self.looks[space] == "flag"
            and options.flag_square == "carriers"
            and SOLDIERS[soldier % MEN][0] != "F"
        ):
            return False
        if not men:
            return True
        if men[0] // MEN == soldier // MEN:
            return self.looks[space] in ("road", "bunker") and len(men) == 1
        if self.looks[space] == "bunker":
            return len(men) == 2 and not options.bunker_pair_safe
        return True

    def paths(self, soldier: int, count: int) -> Iterator[Path]:
        """Return every legal path of `soldier` with a die that shows `count`."""
        trail = [self.board.names[at] for at in self.state.trail] if self.state.walker == soldier else []

        def walk(path: Path) -> Iterator[Path]:
            here = path[-1] if path else self.where[soldier]
            for there in self.near[here]:
                if there == self.where[soldier] or there in path or there in trail:
                    continue
                if len(path) == count - 1:
                    if self.may_end(soldier, there):
                        yield (*path, there)
                elif not self.is_blockade(there) and self.looks[there] != "flag":
                    yield from walk((*path, there))

        if soldier in self.where:
            yield from walk(())

    def men(self, army: int) -> range:
        return range(army * MEN, army * MEN + MEN)
