"""A player who plays to win: weighs each move by where it brings the man, what it takes, and what it risks."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from gamelog.games.dice_flags.army import CARRIERS, DICE, MEN, NUMBER
from gamelog.games.dice_flags.battle import odds, sides
from gamelog.games.dice_flags.board import BUNKER, FLAG, GRID, Board
from gamelog.games.dice_flags.choices import legal, sample
from gamelog.games.dice_flags.events import Decision, Move, Rescue, Tao, TaoEnd, TaoMove
from gamelog.games.dice_flags.state import CARRIED, PRISON, State
from gamelog.games.dice_flags.ways import LONGEST, ways_of


class Taste(NamedTuple):
    pawn: float = 4.0
    medium: float = 7.0
    heavy: float = 12.0
    carrier: float = 14.0
    home: float = 300.0
    carry: float = 60.0
    step: float = 2.0
    fetch: float = 0.8
    pull: float = 4.0
    post: float = 6.0
    pair: float = 1.5
    caution: float = 0.7
    quiet: float = 0.03
    late: float = 0.003
    loaded: float = 40.0
    escort: float = 10.0
    reach: float = 24.0
    exact: float = 10.0


HIT = [1 - (1 - mask.bit_count() / 6) ** 2 for mask in range(64)]
"""The chance that one of two dice shows one of the counts in a mask."""

NEXT = [36, 11, 12, 13, 14, 15, 16, 6, 5, 4, 3, 2, 1]
EXACT = [n / 36 for n in NEXT] + [0.0] * 300


class Charts:
    """What `strong` knows of a board: distances to a space, and the counts that lead from one space to another."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._steps: list[bytes | None] = [None] * len(board.names)
        self._counts: list[bytes | None] = [None] * len(board.names)

    def steps(self, goal: int) -> bytes:
        found = self._steps[goal]
        if found is None:
            far = bytearray([255]) * len(self._board.names)
            far[goal] = 0
            ahead = [goal]
            for at in ahead:
                for there in self._board.neighbours[at]:
                    if far[there] == 255:
                        far[there] = far[at] + 1
                        ahead.append(there)
            found = self._steps[goal] = bytes(far)
        return found

    def counts(self, start: int) -> bytes:
        found = self._counts[start]
        if found is None:
            masks = bytearray(len(self._board.names))
            ways = ways_of(self._board)
            for count in range(1, LONGEST + 1):
                for end, _, _ in ways.of(count, start):
                    masks[end] |= 1 << count - 1
            found = self._counts[start] = bytes(masks)
        return found


_charts: dict[str, Charts] = {}


def charts_of(board: Board) -> Charts:
    found = _charts.get(board.key)
    if found is None:
        found = _charts[board.key] = Charts(board)
    return found


class View:
    """One army's view of a position."""

    def __init__(self, state: State, army: int, taste: Taste) -> None:
        self.taste = taste
        setup, places, flags = state.setup, state.places, state.flags
        self.state, self.army, self.places = state, army, places
        self.board, self.charts = setup.board, charts_of(setup.board)
        charts, bases = self.charts, setup.board.bases
        armies = len(setup.seats)
        self.home = bases[setup.homes[army]].flag
        self.homeward = charts.steps(self.home)
        self.loads: dict[int, int] = {}
        for at in flags:
            if at >= CARRIED:
                self.loads[at - CARRIED] = self.loads.get(at - CARRIED, 0) + 1
        self.enemies = [(man, at) for man, at in enumerate(places) if at < PRISON and man // MEN != army]
        self.threats = [(DICE[man], charts.counts(at)) for man, at in self.enemies]
        self.flags = [charts.steps(bases[at].flag) for at in set(flags) if at < CARRIED and at != setup.homes[army]]
        mine = range(army * MEN, army * MEN + MEN)
        self.no_carrier = not any(places[man] < PRISON for man in mine if man in CARRIERS)
        # what draws men who are no carriers: enemies by kind, and the prisons that hold friends
        self.prey = [(self.prize(man) + self.menace(at), DICE[man], charts.steps(at)) for man, at in self.enemies]
        self.posts = []
        for other in range(armies):
            held = [self.worth(man) for man in mine if places[man] == PRISON + other]
            if held and other != army:
                self.posts.append((max(held) * (3 if self.no_carrier else 1), charts.steps(setup.posts[other])))
        quiet = (state.turn - state.quiet_since) / armies
        self.caution = max(0.0, self.taste.caution - self.taste.quiet * quiet - self.taste.late * state.turn / armies)
        self.drive = self.taste.fetch * max(0.2, 1.3 - len(self.enemies) / 12 / (armies - 1))

    def worth(self, man: int) -> float:
        if man in CARRIERS:
            return self.taste.carrier
        return (self.taste.pawn, self.taste.medium, self.taste.heavy)[DICE[man]]

    def prize(self, man: int) -> float:
        """What capturing the enemy `man` is worth."""
        value = self.worth(man)
        if man in self.loads:
            home = self.state.setup.board.bases[self.state.setup.homes[man // MEN]].flag
            value += self.loads[man] * (
                self.taste.carry + self.taste.step * (40 - self.charts.steps(home)[self.places[man]]) + 30
            )
        return value

    def menace(self, at: int) -> float:
        """How an enemy on `at` threatens the own flag carriers on their way."""
        return sum(
            self.taste.escort for man in self.loads if man // MEN == self.army and self.charts.steps(at)[self.places[man]] < 9
        )

    def stand(self, man: int, at: int, partner: bool) -> float:
        """What it is worth that `man` of the own army stands on `at`."""
        kind, dice = self.board.kinds[at], DICE[man]
        load = self.loads.get(man, 0)
        risk, value = self.worth(man), 0.0
        if load:
            steps = self.homeward[at]
            value = load * (self.taste.carry + self.taste.step * (40 - steps) + self.taste.exact * EXACT[steps])
            risk = self.taste.loaded
        elif man in CARRIERS:
            if self.flags:
                steps = min(far[at] for far in self.flags)
                value = self.drive * (40 - steps + self.taste.exact / 2 * EXACT[steps])
        else:
            for prize, theirs, far in self.prey:
                if theirs <= dice and far[at] < self.taste.reach:
                    pull = self.taste.pull * prize / 12 * (self.taste.reach - far[at]) / self.taste.reach
                    if pull > value:
                        value = pull
        for held, far in self.posts:
            value += held / 12 * self.taste.post * ((40 - far[at]) / 40 + EXACT[far[at]])
        if kind == BUNKER and not partner:
            return value
        light = heavy = 0
        for theirs, counts in self.threats:
            if theirs == 2:
                heavy |= counts[at]
            else:
                light |= counts[at]
        if partner:
            value -= self.taste.pair
            loss = (0.4, 0.2, 0.1)[dice] * HIT[heavy]
        elif dice == 0:
            loss = HIT[light | heavy]
        elif dice == 1:
            loss = max(0.84 * HIT[heavy], 0.3 * HIT[light])
        else:
            loss = max(0.5 * HIT[heavy], 0.05 * HIT[light])
        return value - self.caution * loss * risk

    def free(self, man: int, at: int) -> float:
        """What it is worth to free `man` and put him on `at`."""
        if man // MEN != self.army:
            return -1.0
        exposed = 0
        for _, counts in self.threats:
            exposed |= counts[at]
        return self.worth(man) * (1 - HIT[exposed] * (0.9, 0.5, 0.3)[DICE[man]])

    def gain(self, man: int, path: bytes) -> float:
        """What it is worth to move `man` along `path`."""
        places, start, end = self.places, self.places[man], path[-1]
        standing = places.find(end)
        before = self.stand(man, start, self.board.kinds[start] != GRID and places.count(start) > 1)
        after = self.stand(man, end, standing >= 0 and standing // MEN == self.army)
        if self.board.kinds[end] == FLAG and man in CARRIERS:
            if end == self.home:
                after += self.taste.home * self.loads.get(man, 0)
            elif self.charts.steps(end) in self.flags and man not in self.loads:
                after += self.taste.carry + self.taste.step * (40 - self.homeward[end])
        if standing < 0 or standing // MEN == self.army:
            return after - before
        fight = sides(self.board, places, man, path)
        chance = 1.0 if fight.walks_in else float(odds(fight, self.state.setup.options.tie))
        won = after + sum(map(self.prize, fight.defenders))
        lost = -sum(map(self.worth, fight.attackers)) - 100 * self.loads.get(man, 0)
        return chance * won + (1 - chance) * lost - before


def strong(state: State, seat: str, rng: Random, taste: Taste = Taste()) -> Decision:
    """Moves where it gains most, frees the best man it can, and uses every Tao."""
    if state.phase == "deploy":
        return sample(state, rng)
    choices = legal(state).events
    army = state.setup.seats.index(seat)
    view = View(state, army, taste)
    index = state.setup.board.index
    if state.picker >= 0:
        return rng.choice(choices)
    best: Decision | None = None
    most = 0.0
    for event in choices:
        if isinstance(event, Tao):
            return event
        if isinstance(event, Rescue):
            man = state.setup.seats.index(event.seat) * MEN + NUMBER[event.prisoner]
            value = view.free(man, index[event.at])
        elif isinstance(event, Move | TaoMove):
            value = view.gain(army * MEN + NUMBER[event.soldier], bytes(index[name] for name in event.path))
        else:
            value = 0.0
        value += rng.random() * 0.01
        if best is None or value > most:
            best, most = event, value
    assert best is not None
    return best
