"""Checks of the output for people: effects, their sentences, and scenes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec

from gamelog.chance.draws import Dice
from gamelog.errors import CannotApply
from gamelog.play.contract.effects import Contest, Effect, Out, Over, Rolled, TurnOver
from gamelog.play.contract.odds import contest
from gamelog.play.contract.scene import BoardLayout, Scene
from gamelog.play.rendering.ascii_board import ascii_board, initials
from gamelog.play.rendering.sentences import sentence
from gamelog.record.envelope import TABLE, Event, tag_of
from gamelog.testing.checks.malformed_events import MalformedEvents
from gamelog.testing.checks.random_games import Checks
from gamelog.testing.plays import Play, generator


class DisplayChecks(Checks):
    """Checks of `effects` and `scene`."""

    def test_scenes_and_sentences_never_fail(self) -> None:
        """Check that each event has a sentence, and each position a scene on an unchanged ground."""
        grounds: dict[int, tuple[Play, BoardLayout]] = {}
        for game, state, event, after in self.sample.steps("sentences"):
            text = sentence(self.game, event, self.game.effects(state, event, after), str)
            assert "{" not in text and "None" not in text, text
            for seat in (None, *game.header.seat_ids):
                scene = self.game.scene(self.game.observe(after, seat), seat)
                _, ground = grounds.setdefault(id(game), (game, scene.ground))
                assert scene.ground == ground, "the ground of the scene changes during a game"
                _check_scene(scene)
                assert ascii_board(scene, initials(game.header.seat_ids)), (
                    "the board for the terminal is empty"
                )

    def test_the_end_and_turns_have_effects(self) -> None:
        for game in self.sample.plays:
            over = sum(
                self._count_ends(event, self.game.effects(before, event, after), after)
                for before, event, after in game.steps()
            )
            assert over == 1, f"the effect Over must occur once in a game, not {over} times"
            self._check_turns(game)

    def _count_ends(self, event: Event, effects: tuple[Effect, ...], after: Any) -> int:
        """Return the number of effects Over of this event."""
        outcome = self.game.pending(after).outcome
        ends = [effect for effect in effects if isinstance(effect, Over)]
        assert bool(ends) == bool(outcome), (
            f"{event}: the effect Over must be at the end of the game, and only there"
        )
        for end in ends:
            assert outcome and set(end.winners) == set(outcome.winners), (
                "Over and the outcome have different winners"
            )
        return len(ends)

    def _check_turns(self, game: Play) -> None:
        """Raise AssertionError unless each turn ends once, and the announced seat has the next turn."""
        turns, deciders = 0, list[str]()
        on_turn = due = None
        out = set[str]()
        for before, event, after in game.steps():
            now = self.game.pending(before)
            decides = now.by
            if now.together or len(decides) > 1:
                # if several seats act together, the next turn can belong to any seat
                on_turn = None
            elif decides and decides != (TABLE,):
                deciders.append(decides[0])
            for turn in self.game.effects(before, event, after):
                if isinstance(turn, TurnOver):
                    assert on_turn in (None, turn.seat), (
                        f"{event}: TurnOver of {turn.seat}, although {on_turn} was next: a TurnOver is "
                        "missing or wrong"
                    )
                    turns, on_turn, due = turns + 1, turn.next, turn.next
                elif isinstance(turn, Out):
                    out.add(turn.seat)
            by = self.game.pending(after).by
            assert not out & set(by), (
                f"{' and '.join(out & set(by))} may act, although the effect Out removed the seat from the "
                "game"
            )
            if by and due is not None:
                assert due in by, f"TurnOver names {due} as the next seat, but {' and '.join(by)} may act"
                due = None
        last = {seat: at for at, seat in enumerate(deciders)}
        idle = [
            seat
            for seat, at in last.items()
            if len(deciders) - at > MAX_IDLE_ROUNDS * len(last) and seat not in (*out, *game.resigned_seats)
        ]
        assert not idle, (
            f"{idle[0]} makes no more decisions while the game continues, but there is no effect Out for "
            "this seat"
        )
        handed_on = sum(a != b for a, b in pairwise(deciders))
        assert turns or handed_on < 3, "the seats take turns, but there is no effect TurnOver"

    def test_dice_and_contests_have_effects(self) -> None:
        """Check that public dice have the effect `Rolled`, and dice of two sides also `Contest`."""
        shown, decided = dict[str, bool](), dict[str, bool]()
        for _, state, event, after in self.sample.steps("facts"):
            chance_due, tag = self.game.pending(state).chance, tag_of(type(event))
            if chance_due is None or type(event) not in self.game.chance_events:
                continue
            effects = self.game.effects(state, event, after)
            # private dice need no effect, because everyone sees effects
            sides = {draw.seat for draw in chance_due.draws if isinstance(draw, Dice) and not draw.private}
            if sides:
                shown[tag] = shown.get(tag, False) or any(isinstance(effect, Rolled) for effect in effects)
            if (
                chance_due.by in sides and len(sides) == 2
            ):  # a seat rolls against another seat or against neutral dice
                contests = [effect for effect in effects if isinstance(effect, Contest)]
                decided[tag] = decided.get(tag, False) or bool(contests)
                for contest in contests:
                    assert {contest.by, contest.against} == sides, (
                        f"{contest} is not between the two sides whose dice are in {event}"
                    )
        unseen, uncontested = ([tag for tag, good in found.items() if not good] for found in (shown, decided))
        assert not unseen, (
            f"{unseen[0]} rolls dice, but no effect Rolled shows them: pages and archives have no dice"
        )
        assert not uncontested, (
            f"{uncontested[0]} rolls the dice of two sides, but there is no effect Contest with the winner: "
            "pages and archives have no odds"
        )

    def test_effects_name_seats_and_rolled_faces(self) -> None:
        """Check that effects name seats of the game, faces of the event and possible odds."""
        contests: list[tuple[Contest, int]] = []
        for game, state, event, after in self.sample.steps("facts"):
            seats = {None, *game.header.seat_ids}
            chance_due = self.game.pending(state).chance
            sides = (
                {draw.sides for draw in chance_due.draws if isinstance(draw, Dice)} if chance_due else set()
            )
            for effect in self.game.effects(state, event, after):
                engine = type(effect).__module__ == Effect.__module__
                named = {getattr(effect, name, None) for name in _ENGINE_SEATS} if engine else set()
                assert named <= seats, (
                    f"{effect} names {', '.join(map(str, named - seats))}, which is not a seat"
                )
                if isinstance(effect, Rolled):
                    assert effect.sides in (sides or {effect.sides}), (
                        f"{effect}: the dice that are due have other sides"
                    )
                    assert set(effect.faces) <= set(_numbers(msgspec.to_builtins(event))), (
                        f"{effect} shows faces that are not in {event}"
                    )
                elif isinstance(effect, Contest):
                    assert 0 <= effect.odds <= 1 and not (effect.odds == 0 and effect.won), (
                        f"the odds of {effect} are not a probability"
                    )
                    ahead = effect.attack_sum - effect.defence_sum
                    assert ahead == 0 or (ahead > 0) == effect.won, f"{effect}: the larger sum must win"
                    contests.append((effect, min(sides) if len(sides) == 1 else 0))
        _check_odds(contests)

    def test_effects_of_illegal_events_do_not_fail(self) -> None:
        """Check that illegal events that can be applied have effects, sentences and scenes."""
        rng = generator("illegal effects")
        for game in self.sample.plays:
            malformed = MalformedEvents(self.game, self.sample.kinds, game.header.seat_ids)
            for at in rng.sample(range(len(game.events)), min(20, len(game.events))):
                for event in malformed.random_events(rng, 20, game.events[at]):
                    state = game.states[at]
                    try:
                        after = self.game.apply(state, event)
                    except CannotApply:
                        continue
                    text = sentence(self.game, event, self.game.effects(state, event, after), str)
                    assert "{" not in text.replace(str(msgspec.to_builtins(event)), ""), text
                    _check_scene(self.game.scene(after, None))


_ENGINE_SEATS = ("seat", "by", "against", "loser", "next")
"""Members of the common effects that are seats or None."""

MAX_IDLE_ROUNDS = 1000
"""Number of rounds without a decision of a seat after which the seat counts as out of the game.

For example, a seat in prison can return before.
"""

_MAX_DEVIATIONS = 4.5
"""Maximum distance of won contests from their odds, in standard deviations.

Chance exceeds it once in 150,000 samples.
"""

_MIN_TIES = 6
"""Minimum number of ties, all won by one side, that count as a rule of the game and not as chance."""


def _check_odds(contests: list[tuple[Contest, int]]) -> None:
    """Raise AssertionError if the results of contests do not fit their odds.

    Each contest comes with the number of sides of its dice, or 0 if there are several kinds of dice.
    """
    ties = [one.won for one, _ in contests if one.attack_sum == one.defence_sum]
    one_sided = len(ties) >= _MIN_TIES and len(set(ties)) == 1
    luck = sum(one.won - one.odds for one, _ in contests)
    variance = sum(one.odds * (1 - one.odds) for one, _ in contests)
    assert abs(luck) <= _MAX_DEVIATIONS * max(variance, 1.0) ** 0.5, (
        f"attackers have won {luck:+.0f} contests more than Contest.odds predicts"
    )
    for one, sides in contests:
        if not sides or (one.attack_sum, one.defence_sum) != (sum(one.attack), sum(one.defence)):
            continue
        more, same, _ = contest(len(one.attack), len(one.defence), sides=sides)
        least = (
            more + same if one_sided and ties[0] else more
        )  # the result of ties decides which odds are right
        most = more if one_sided and not ties[0] else more + same
        right = f"{float(least)}" if least == most else f"{float(least)} to {float(most)}"
        assert least - 1e-9 < one.odds < most + 1e-9, f"{one}: the attacker wins with probability {right}"


def _numbers(value: Any) -> Iterator[int]:
    """Yield all whole numbers in plain data."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int):
        yield value


def _check_scene(scene: Scene) -> None:
    """Raise AssertionError unless everything in the scene is on its ground."""
    ground = scene.ground
    cells = {cell.id for cell in ground.cells}
    assert len(cells) == len(ground.cells), "two cells share an id"
    ends = {end for link in ground.links for end in (link.a, link.b)}
    assert ends <= cells, (
        f"a link leads to {', '.join(sorted(ends - cells))}, which is not a cell of the ground"
    )
    places = [
        *(piece.at for piece in scene.pieces),
        *(at for at, _ in scene.fills),
        *(mark.at for mark in scene.marks),
    ]
    lost = set(places) - cells
    assert not lost, (
        f"the scene has something on {', '.join(sorted(lost))}, which is not a cell of the ground"
    )
