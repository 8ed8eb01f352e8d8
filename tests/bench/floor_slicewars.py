"""SliceWars with its standard options, played directly from the lines, with one position that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import msgspec

from gamelog.games.slicewars import GAME
from tests.bench.floor_play import Header, Illegal, Line, Outcome

OWNERLESS, FREE = 6, 7
CAPACITY, OWNERLESS_DICE, ROUNDS = 6, 7, 200


class RemovalRoll(Line, tag="removal_roll"):
    rolls: dict[str, int]


class Remove(Line, tag="remove"):
    at: list[str]


class StartRoll(Line, tag="start_roll"):
    rolls: dict[str, int]


class ClaimLand(Line, tag="claim"):
    at: str


class Add(Line, tag="add"):
    at: str


class Place(Line, tag="place"):
    at: str


class Attack(Line, tag="attack"):
    src: str
    dst: str


class Battle(Line, tag="battle"):
    attack: list[int]
    defence: list[int]


class Pass(Line, tag="pass"):
    pass


DECODER = msgspec.json.Decoder(
    RemovalRoll | Remove | StartRoll | ClaimLand | Add | Place | Attack | Battle | Pass
)


@cache
def board(name: str) -> tuple[dict[str, int], list[list[int]]]:
    """Return the numbers of a built-in board's territories, and the neighbours of each."""
    data = GAME.boards[name.partition("@")[0]]()
    index = {territory: number for number, territory in enumerate(data["territories"])}
    near: list[list[int]] = [[] for _ in index]
    for one, other in data["edges"]:
        near[index[one]].append(index[other])
        near[index[other]].append(index[one])
    return index, near


class Position:
    """The position and the next event. Each method plays one kind of event, or raises `Illegal`."""

    def __init__(self, header: Header) -> None:
        self.seats = [seat.seat for seat in header.seats]
        self.index, self.near = board(header.board)
        self.owners = bytearray([FREE]) * len(self.index)
        self.dice = bytearray(len(self.index))
        self.removals = len(self.index) % len(self.seats)
        self.due = "removal_roll" if self.removals else "start_roll"
        self.rolling = [*range(len(self.seats))]
        self.actor = self.first = self.round = self.hand = self.src = self.dst = 0
        self.outcome: Outcome | None = None

    def _best(self, event: RemovalRoll | StartRoll, due: str) -> bool:
        """Return whether one seat has rolled highest; it is the actor then."""
        rolls = event.rolls
        if (
            self.due != due
            or event.by != "table"
            or set(rolls) != {self.seats[seat] for seat in self.rolling}
        ):
            raise Illegal
        if not {*rolls.values()} <= {1, 2, 3, 4, 5, 6}:
            raise Illegal
        highest = max(rolls.values())
        self.rolling = [seat for seat in self.rolling if rolls[self.seats[seat]] == highest]
        self.actor = self.rolling[0]
        return len(self.rolling) == 1

    def removal_roll(self, event: RemovalRoll) -> None:
        if self._best(event, "removal_roll"):
            self.due = "remove"

    def remove(self, event: Remove) -> None:
        gone = {self.index.get(name, -1) for name in event.at}
        if (
            self.due != "remove"
            or event.by != self.seats[self.actor]
            or -1 in gone
            or not len(gone) == len(event.at) == self.removals
        ):
            raise Illegal
        for at in gone:
            self.owners[at], self.dice[at] = OWNERLESS, OWNERLESS_DICE
        self.due, self.rolling = "start_roll", [*range(len(self.seats))]

    def start_roll(self, event: StartRoll) -> None:
        if self._best(event, "start_roll"):
            self.due, self.first = "claim", self.actor

    def claim(self, event: ClaimLand) -> None:
        at = self.index.get(event.at, -1)
        if self.due != "claim" or event.by != self.seats[self.actor] or at < 0 or self.owners[at] != FREE:
            raise Illegal
        self.owners[at], self.dice[at] = self.actor, 1
        self.actor = (self.actor + 1) % len(self.seats)
        if FREE not in self.owners:
            self.due, self.actor = "add", self.first
            self.hand = (len(self.owners) - self.removals) // len(self.seats)

    def add(self, event: Add) -> None:
        at = self.index.get(event.at, -1)
        if self.due != "add" or event.by != self.seats[self.actor] or at < 0 or self.owners[at] != self.actor:
            raise Illegal
        if self.dice[at] >= CAPACITY:
            raise Illegal
        self.dice[at] += 1
        self.actor = (self.actor + 1) % len(self.seats)
        self.hand -= self.actor == self.first
        if not self.hand:
            self.due, self.round = "attack", 1
            self._rest()

    def place(self, event: Place) -> None:
        at, actor = self.index.get(event.at, -1), self.actor
        if self.due != "place" or event.by != self.seats[actor] or at < 0 or self.owners[at] != actor:
            raise Illegal
        if self.dice[at] >= CAPACITY:
            raise Illegal
        self.dice[at] += 1
        self.hand -= 1
        full = self.dice[at] == CAPACITY and not self._has_room(actor)
        if full or not self.hand:
            self.hand, self.due = 0, "attack"
            if full:
                self._decide()
            self._rest()

    def attack(self, event: Attack) -> None:
        owners, actor = self.owners, self.actor
        src, dst = self.index.get(event.src, -1), self.index.get(event.dst, -1)
        if self.due != "attack" or event.by != self.seats[actor] or src < 0 or dst < 0:
            raise Illegal
        if owners[src] != actor or owners[dst] == actor or dst not in self.near[src] or self.dice[src] < 2:
            raise Illegal
        self.due, self.src, self.dst = "battle", src, dst

    def battle(self, event: Battle) -> None:
        src, dst, owners, dice = self.src, self.dst, self.owners, self.dice
        if self.due != "battle" or event.by != self.seats[self.actor]:
            raise Illegal
        if len(event.attack) != dice[src] or len(event.defence) != dice[dst]:
            raise Illegal
        for face in event.attack + event.defence:
            if not 1 <= face <= 6:
                raise Illegal
        self.due = "attack"
        if sum(event.attack) > sum(event.defence):
            loser, owners[dst], dice[dst], dice[src] = owners[dst], self.actor, dice[src] - 1, 1
            if OWNERLESS not in owners if loser == OWNERLESS else not self._has_room(loser):
                self._decide()
        dice[src] = 1
        self._rest()

    def pass_(self, event: Pass) -> None:
        if self.due != "attack" or event.by != self.seats[self.actor]:
            raise Illegal
        self._next()

    def _rest(self) -> None:
        """Continue with the next turn if this one has no decision left."""
        if self.outcome is None and not self._can_attack(self.actor):
            self._next()

    def _next(self) -> None:
        """Begin the next turn that has a decision, or end the game after the last round."""
        players = len(self.seats)
        while True:
            self.actor = (self.actor + 1) % players
            self.round += self.actor == self.first
            if self.actor not in self.owners:
                continue
            if self.round > ROUNDS:
                self._most()
                return
            if self.round > 1 and self._has_room(self.actor):
                self.hand, self.due = self._largest_group(self.actor), "place"
                return
            self.due = "attack"
            if self._can_attack(self.actor):
                return

    def _most(self) -> None:
        """End the game: most land wins, then most dice."""
        owners, dice = self.owners, self.dice
        standing = {
            seat: (
                owners.count(seat),
                sum(count for owner, count in zip(owners, dice, strict=True) if owner == seat),
            )
            for seat in range(len(self.seats))
            if seat in owners
        }
        best = max(standing.values())
        self._over([seat for seat in standing if standing[seat] == best], "guard")

    def _decide(self) -> None:
        """End the game if it is won."""
        owners = self.owners
        alive = [seat for seat in range(len(self.seats)) if seat in owners]
        if len(alive) == 1:
            return self._over(alive, "all")
        full = [seat for seat in alive if not self._has_room(seat)]
        for seat in full:
            if 2 * owners.count(seat) > len(owners) - owners.count(OWNERLESS):
                return self._over([seat], "majority_full")
        if full == alive:
            most = max(map(owners.count, alive))
            self._over([seat for seat in alive if owners.count(seat) == most], "all_full")
        return None

    def _over(self, winners: list[int], reason: str) -> None:
        self.outcome, self.due, self.hand = (tuple(self.seats[seat] for seat in winners), reason), "over", 0

    def _has_room(self, seat: int) -> bool:
        owners, dice = self.owners, self.dice
        at = owners.find(seat)
        while at >= 0:
            if dice[at] < CAPACITY:
                return True
            at = owners.find(seat, at + 1)
        return False

    def _can_attack(self, seat: int) -> bool:
        owners, dice, near = self.owners, self.dice, self.near
        at = owners.find(seat)
        while at >= 0:
            if dice[at] > 1:
                for there in near[at]:
                    if owners[there] != seat:
                        return True
            at = owners.find(seat, at + 1)
        return False

    def _largest_group(self, seat: int) -> int:
        left, near = bytearray(self.owners), self.near
        best = 0
        seed = left.find(seat)
        while seed >= 0:
            left[seed] = FREE
            group = [seed]
            for here in group:  # grows during the loop
                for there in near[here]:
                    if left[there] == seat:
                        left[there] = FREE
                        group.append(there)
            best = max(best, len(group))
            seed = left.find(seat, seed)
        return best


METHODS: dict[type[Line], Callable[[Position, Any], None]] = {
    RemovalRoll: Position.removal_roll,
    Remove: Position.remove,
    StartRoll: Position.start_roll,
    ClaimLand: Position.claim,
    Add: Position.add,
    Place: Position.place,
    Attack: Position.attack,
    Battle: Position.battle,
    Pass: Position.pass_,
}


def play(header: Header, events: Iterable[Line]) -> Outcome | None:
    """Return the outcome. Raises `Illegal`."""
    position = Position(header)
    t = 0
    for n, event in enumerate(events, 1):
        if event.n != n or event.t < t:
            raise Illegal
        t = event.t
        METHODS[type(event)](position, event)
    return position.outcome
