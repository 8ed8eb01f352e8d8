"""A bot that plays to win by flags. It rates each count by its target, its captures and its risks.

It looks ahead to the next roll of its enemies only. The weights come from games against itself; with
them almost all of its games for two armies end by flags. The bot forms no blockades on purpose: if both
sides blocked their gates with heavy artillery, games would end by the limit of rounds.
"""

from __future__ import annotations

from random import Random

from gamelog.game import Event
from gamelog.games.dice_flags.army import CARRIERS, DICE, MEN, NUMBER
from gamelog.games.dice_flags.battle import odds, sides
from gamelog.games.dice_flags.board import BUNKER, FLAG, GRID
from gamelog.games.dice_flags.choices import destinations, sample
from gamelog.games.dice_flags.distances import distances_of
from gamelog.games.dice_flags.events import Move, Rescue, Tao, TaoMove
from gamelog.games.dice_flags.state import CARRIED, PRISON, State

_SOLDIER_WORTH = (4.0, 7.0, 12.0)
"""The value of a soldier, by the dice that it rolls."""
_CARRIER_WORTH = 14.0
"""The value of a flag carrier."""

_DELIVERED_WORTH = 300.0
"""The value of a flag on the own flag square."""
_CARRIED_FLAG, _HOMEWARD = 60.0, 2.0
"""The value of a carried flag, and of each step towards home with it."""
_FETCH_STEP_WORTH = 0.8
"""The value of a step towards a flag, for a carrier without a flag; more when few enemies are left."""
_DISTANT_STEPS = 40
"""The distance from which a goal has no more value."""

_HUNTING, _SIGHT = 4.0, 24.0
"""The value of being near an enemy worth as much as heavy artillery, and the distance at which it begins."""
_ESCORT, _NEAR_DISTANCE = 10.0, 9
"""The extra value of an enemy near a carrier with a flag, and the distance that counts as near."""
_POST_WORTH = 6.0
"""The value of being near a prison, for a captive worth as much as heavy artillery."""
_EXACT_DISTANCE_WORTH = 10.0
"""The value of a space from which the next roll can lead exactly home."""
_BLOCKADE_COST = 1.5
"""The cost of a blockade, which also stops the bot's own soldiers."""

_CAUTION, _PER_QUIET, _PER_ROUND = 0.7, 0.05, 0.009
"""The weight of risks at first, and its decrease with each quiet round and with each round."""
_RISKED_WORTH = 20.0
"""The value at risk of a carrier with a flag: less than the flag, or the carrier would wait for ever."""

_HIT_CHANCE = tuple(1 - (1 - mask.bit_count() / 6) ** 2 for mask in range(64))
"""By mask of counts: the probability that one of two dice shows one of the counts."""

_ARRIVAL_CHANCE = tuple(n / 36 for n in (36, 11, 12, 13, 14, 15, 16, 6, 5, 4, 3, 2, 1)) + (0.0,) * 256
"""By number of steps: the probability that one die, or the sum of two dice, shows exactly this number."""


class Valuation:
    """A position as one army rates it."""

    def __init__(self, state: State, army: int) -> None:
        """Work out the goals, threats and prey of `army` in `state`."""
        setup, places = state.setup, state.places
        bases, armies = setup.board.bases, len(setup.seats)
        self.state, self.army, self.places = state, army, places
        self.board, self.distances = setup.board, distances_of(setup.board)
        steps = self.distances.steps
        self.home = bases[setup.homes[army]].flag
        self.carrying = [flag - CARRIED for flag in state.flags if flag >= CARRIED]
        self.goals = {bases[flag].flag: steps(bases[flag].flag) for flag in state.flags if flag < CARRIED}
        self.goals.pop(self.home, None)
        enemies = [(man, at) for man, at in enumerate(places) if at < PRISON and man // MEN != army]
        self.threats = [(DICE[man], self.distances.counts(at)) for man, at in enemies]
        self.prey = [
            (self.capture_value(man) + self.threat_value(at), DICE[man], steps(at)) for man, at in enemies
        ]
        self.posts = self._posts(range(army * MEN, army * MEN + MEN))
        rounds, quiet = state.turn / armies, (state.turn - state.quiet_since) / armies
        self.caution = max(0.0, _CAUTION - _PER_QUIET * quiet - _PER_ROUND * rounds)
        self.fetching = _FETCH_STEP_WORTH * max(0.2, 1.3 - len(enemies) / MEN / (armies - 1))

    def _posts(self, men: range) -> list[tuple[float, bytes]]:
        """Return, for each prison with own soldiers, the value of its post and the distances to it."""
        setup = self.state.setup
        urgent = 1.0 if any(self.places[man] < PRISON for man in men if man in CARRIERS) else 3.0
        found = []
        for other, post in enumerate(setup.posts):
            held = [self.soldier_value(man) for man in men if self.places[man] == PRISON + other]
            if held:
                found.append(
                    (urgent * max(held) / _SOLDIER_WORTH[-1] * _POST_WORTH, self.distances.steps(post))
                )
        return found

    def soldier_value(self, man: int) -> float:
        """Return the value of the soldier `man` by its kind."""
        return _CARRIER_WORTH if man in CARRIERS else _SOLDIER_WORTH[DICE[man]]

    def capture_value(self, man: int) -> float:
        """Return the value of a capture of the enemy `man`, with the flags that it carries."""
        flags = self.carrying.count(man)
        if not flags:
            return self.soldier_value(man)
        home = self.board.bases[self.state.setup.homes[man // MEN]].flag
        steps = self.distances.steps(home)[self.places[man]]
        return self.soldier_value(man) + flags * (_CARRIED_FLAG + _HOMEWARD * (_DISTANT_STEPS - steps) + 30)

    def threat_value(self, at: int) -> float:
        """Return the extra value of an enemy on `at` for own carriers with flags that are near."""
        near = self.distances.steps(at)
        return _ESCORT * sum(
            near[self.places[man]] < _NEAR_DISTANCE for man in self.carrying if man // MEN == self.army
        )

    def place_value(self, man: int, at: int, paired: bool) -> float:
        """Return the value of the own soldier `man` on `at`, alone or paired."""
        value, risked = self._goal_value(man, at), self.soldier_value(man)
        if man in self.carrying:
            risked = _RISKED_WORTH
        if self.board.kinds[at] == BUNKER and not paired:
            return value
        light = heavy = 0
        for dice, counts in self.threats:
            if dice == 2:
                heavy |= counts[at]
            else:
                light |= counts[at]
        # the most likely loss, roughly as in the tables of odds
        match DICE[man], paired:
            case 0, False:
                loss = _HIT_CHANCE[light | heavy]
            case 1, False:
                loss = max(0.84 * _HIT_CHANCE[heavy], 0.3 * _HIT_CHANCE[light])
            case 2, False:
                loss = max(0.5 * _HIT_CHANCE[heavy], 0.05 * _HIT_CHANCE[light])
            case dice, _:
                loss = (0.4, 0.2, 0.1)[dice] * _HIT_CHANCE[heavy]
        return value - self.caution * loss * risked - _BLOCKADE_COST * paired

    def _goal_value(self, man: int, at: int) -> float:
        """Return the value of the distances from `at` to the goals of `man`."""
        value = 0.0
        flags = self.carrying.count(man)
        if flags:
            steps = self.distances.steps(self.home)[at]
            value = flags * (
                _CARRIED_FLAG
                + _HOMEWARD * (_DISTANT_STEPS - steps)
                + _EXACT_DISTANCE_WORTH * _ARRIVAL_CHANCE[steps]
            )
        elif man in CARRIERS:
            if self.goals:
                steps = min(far[at] for far in self.goals.values())
                value = self.fetching * (
                    _DISTANT_STEPS - steps + _EXACT_DISTANCE_WORTH / 2 * _ARRIVAL_CHANCE[steps]
                )
        else:
            for ransom, dice, far in self.prey:
                if dice <= DICE[man] and far[at] < _SIGHT:
                    value = max(value, _HUNTING * ransom / _SOLDIER_WORTH[-1] * (_SIGHT - far[at]) / _SIGHT)
        for pull, far in self.posts:
            value += pull * ((_DISTANT_STEPS - far[at]) / _DISTANT_STEPS + _ARRIVAL_CHANCE[far[at]])
        return value

    def freeing_value(self, man: int, at: int) -> float:
        """Return the value of freeing `man` to `at`. It is small if `man` could be captured there."""
        if man // MEN != self.army:
            return -1.0
        exposed = 0
        for _, counts in self.threats:
            exposed |= counts[at]
        return self.soldier_value(man) * (1 - _HIT_CHANCE[exposed] * (0.9, 0.5, 0.3)[DICE[man]])

    def move_value(self, man: int, path: bytes) -> float:
        """Return the value of a move of `man` along `path`."""
        places, start, end = self.places, self.places[man], path[-1]
        standing = places.find(end)
        before = self.place_value(man, start, self.board.kinds[start] != GRID and places.count(start) > 1)
        after = self.place_value(man, end, standing >= 0 and standing // MEN == self.army)
        if self.board.kinds[end] == FLAG and man in CARRIERS:
            if end == self.home:
                after += _DELIVERED_WORTH * self.carrying.count(man)
            elif end in self.goals and man not in self.carrying:
                after += _CARRIED_FLAG + _HOMEWARD * (_DISTANT_STEPS - self.distances.steps(self.home)[end])
        if standing < 0 or standing // MEN == self.army:
            return after - before
        fight = sides(self.board, places, man, path)
        chance = 1.0 if fight.is_walk_in else float(odds(fight, self.state.setup.options.tie))
        won = after + sum(map(self.capture_value, fight.defenders))
        lost = sum(map(self.soldier_value, fight.attackers)) + 100 * self.carrying.count(man)
        return chance * won - (1 - chance) * lost - before


def strong(state: State, seat: str, rng: Random) -> Event:
    """Return the decision with the highest value. A Tao is always used."""
    if state.phase == "deploy":
        return sample(state, seat, rng)
    setup = state.setup
    army, index = setup.seats.index(seat), setup.board.index
    view = Valuation(state, army)

    def gain(event: Event) -> float:
        """Return the worth of `event`, 0 for types that are not rated."""
        match event:
            case Tao():
                return float("inf")
            case Rescue():
                man = setup.seats.index(event.seat) * MEN + NUMBER[event.prisoner]
                return view.freeing_value(man, index[event.at])
            case Move() | TaoMove():
                return view.move_value(
                    army * MEN + NUMBER[event.soldier], bytes(map(index.__getitem__, event.path))
                )
            case _:
                return 0.0

    return max(destinations(state).events, key=lambda event: (gain(event), rng.random()))
