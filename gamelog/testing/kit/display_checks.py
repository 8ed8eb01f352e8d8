"""Checks of what people see: effects, the sentences made of them, scenes."""

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
from gamelog.play.telling.ascii_board import ascii_board, initials
from gamelog.play.telling.sentences import sentence
from gamelog.record.envelope import TABLE, Event, tag_of
from gamelog.testing.kit.malformed_events import MalformedEvents
from gamelog.testing.kit.random_games import Checks
from gamelog.testing.random_play import Play, generator


class Telling(Checks):
    """`effects`, `scene`."""

    def test_scenes_and_sentences_never_fail(self) -> None:
        grounds: dict[int, tuple[Play, BoardLayout]] = {}
        for game, state, event, after in self.sample.steps("sentences"):
            text = sentence(self.game, event, self.game.effects(state, event, after), str)
            assert "{" not in text and "None" not in text, text
            for seat in (None, *game.header.seat_ids):
                scene = self.game.scene(self.game.observe(after, seat), seat)
                _, ground = grounds.setdefault(id(game), (game, scene.ground))
                assert scene.ground == ground, "the ground changes"
                _drawn(scene)
                assert ascii_board(scene, initials(game.header.seat_ids)), "the terminal has nothing to draw"

    def test_the_end_and_the_turns_are_told(self) -> None:
        for game in self.sample.plays:
            over = sum(
                self._ends(event, self.game.effects(before, event, after), after)
                for before, event, after in game.steps()
            )
            assert over == 1, f"the end was told {over} times"
            self._turns(game)

    def _ends(self, event: Event, told: tuple[Effect, ...], after: Any) -> int:
        """How often the end is told at this event."""
        outcome = self.game.pending(after).outcome
        ends = [effect for effect in told if isinstance(effect, Over)]
        assert bool(ends) == bool(outcome), (
            f"{event}: the effect Over belongs to the end of the game, and to nothing else"
        )
        for end in ends:
            assert outcome and set(end.winners) == set(outcome.winners), "Over names other winners"
        return len(ends)

    def _turns(self, game: Play) -> None:
        """Raise AssertionError unless turns follow one another: each over once, then the one announced."""
        turns, deciders = 0, list[str]()
        on_turn = due = None
        out = set[str]()
        for before, event, after in game.steps():
            now = self.game.pending(before)
            decides = now.by
            if now.together or len(decides) > 1:
                # where several act together, turns need not be handed round, nor by the last of them
                on_turn = None
            elif decides and decides != (TABLE,):
                deciders.append(decides[0])
            for turn in self.game.effects(before, event, after):
                if isinstance(turn, TurnOver):
                    assert on_turn in (None, turn.seat), (
                        f"{event}: TurnOver of {turn.seat}, though {on_turn} was next: one is missing, or "
                        "wrong"
                    )
                    turns, on_turn, due = turns + 1, turn.next, turn.next
                elif isinstance(turn, Out):
                    out.add(turn.seat)
            by = self.game.pending(after).by
            assert not out & set(by), (
                f"{' and '.join(out & set(by))} may act, and was told out of the game by the effect Out"
            )
            if by and due is not None:
                assert due in by, f"TurnOver says that {due} is next; {' and '.join(by)} may act"
                due = None
        last = {seat: at for at, seat in enumerate(deciders)}
        idle = [
            seat
            for seat, at in last.items()
            if len(deciders) - at > IDLE * len(last) and seat not in (*out, *game.gone)
        ]
        assert not idle, (
            f"{idle[0]} decides nothing any more while the game goes on, and no effect Out says that it "
            "is out"
        )
        handed_on = sum(a != b for a, b in pairwise(deciders))
        assert turns or handed_on < 3, "the seats take turns and no effect TurnOver says so"

    def test_dice_are_shown_and_what_they_decide_between_two_sides(self) -> None:
        shown, decided = dict[str, bool](), dict[str, bool]()
        for _, state, event, after in self.sample.steps("facts"):
            owed, tag = self.game.pending(state).chance, tag_of(type(event))
            if owed is None or type(event) not in self.game.chance_events:
                continue
            told = self.game.effects(state, event, after)
            # what falls for one seat alone is shown to nobody: effects are for everybody
            sides = {draw.seat for draw in owed.draws if isinstance(draw, Dice) and not draw.private}
            if sides:
                shown[tag] = shown.get(tag, False) or any(isinstance(effect, Rolled) for effect in told)
            if (
                owed.by in sides and len(sides) == 2
            ):  # a seat throws against another, or against nobody's dice
                contests = [effect for effect in told if isinstance(effect, Contest)]
                decided[tag] = decided.get(tag, False) or bool(contests)
                for one in contests:
                    assert {one.by, one.against} == sides, (
                        f"{one} is not between those whose dice {event} holds"
                    )
        unseen, untold = ([tag for tag, good in found.items() if not good] for found in (shown, decided))
        assert not unseen, (
            f"{unseen[0]} throws dice and no effect Rolled shows them: pages and archives have no dice"
        )
        assert not untold, (
            f"{untold[0]} throws the dice of two sides and no effect Contest says who won: pages and "
            "archives have no odds"
        )

    def test_effects_speak_of_seats_and_of_what_was_rolled(self) -> None:
        contests: list[tuple[Contest, int]] = []
        for game, state, event, after in self.sample.steps("facts"):
            seats = {None, *game.header.seat_ids}
            owed = self.game.pending(state).chance
            sides = {draw.sides for draw in owed.draws if isinstance(draw, Dice)} if owed else set()
            for effect in self.game.effects(state, event, after):
                engine = type(effect).__module__ == Effect.__module__
                named = {getattr(effect, name, None) for name in ENGINE_SEATS} if engine else set()
                assert named <= seats, (
                    f"{effect} speaks of {', '.join(map(str, named - seats))}: there is no such seat"
                )
                if isinstance(effect, Rolled):
                    assert effect.sides in (sides or {effect.sides}), (
                        f"{effect}: the dice that are owed have other sides"
                    )
                    assert set(effect.faces) <= set(_numbers(msgspec.to_builtins(event))), (
                        f"{effect} shows what {event} does not"
                    )
                elif isinstance(effect, Contest):
                    assert 0 <= effect.odds <= 1 and not (effect.odds == 0 and effect.won), (
                        f"the odds of {effect} are not a probability"
                    )
                    ahead = effect.attack_sum - effect.defence_sum
                    assert ahead == 0 or (ahead > 0) == effect.won, f"{effect}: the larger sum has not won"
                    contests.append((effect, min(sides) if len(sides) == 1 else 0))
        _odds(contests)

    def test_effects_of_illegal_events_do_not_fail(self) -> None:
        rng = generator("illegal effects")
        for game in self.sample.plays:
            strangers = MalformedEvents(self.game, self.sample.kinds, game.header.seat_ids)
            for at in rng.sample(range(len(game.events)), min(20, len(game.events))):
                for event in strangers.some(rng, 20, game.events[at]):
                    state = game.states[at]
                    try:
                        after = self.game.apply(state, event)
                    except CannotApply:
                        continue
                    text = sentence(self.game, event, self.game.effects(state, event, after), str)
                    assert "{" not in text.replace(str(msgspec.to_builtins(event)), ""), text
                    _drawn(self.game.scene(after, None))


ENGINE_SEATS = ("seat", "by", "against", "loser", "next")
"""Members of the engine's own effects that are seats, or None."""

IDLE = 1000
"""Rounds of decisions without a seat after which it counts as out of the game;
somebody in prison may come back before.
"""

SIGMAS = 4.5
"""How far the contests won may be from their odds: chance alone goes further once in 150,000 samples."""

TIES = 6
"""So many ties, all for one side, are a rule of the game; fewer may have been chance."""


def _odds(contests: list[tuple[Contest, int]]) -> None:
    """Raise AssertionError where contests, with their dice's sides (0: several), do not end as odds say."""
    ties = [told.won for told, _ in contests if told.attack_sum == told.defence_sum]
    one_sided = len(ties) >= TIES and len(set(ties)) == 1
    luck = sum(told.won - told.odds for told, _ in contests)
    doubt = sum(told.odds * (1 - told.odds) for told, _ in contests)
    assert abs(luck) <= SIGMAS * max(doubt, 1.0) ** 0.5, (
        f"attackers have won {luck:+.0f} contests more than Contest.odds says"
    )
    for told, sides in contests:
        if not sides or (told.attack_sum, told.defence_sum) != (sum(told.attack), sum(told.defence)):
            continue
        more, same, _ = contest(len(told.attack), len(told.defence), sides=sides)
        least = more + same if one_sided and ties[0] else more  # whatever a tie does, the odds are between
        most = more if one_sided and not ties[0] else more + same
        right = f"{float(least)}" if least == most else f"{float(least)} to {float(most)}"
        assert least - 1e-9 < told.odds < most + 1e-9, f"{told}: the attacker wins with probability {right}"


def _numbers(value: Any) -> Iterator[int]:
    """All whole numbers in plain data."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, int):
        yield value


def _drawn(scene: Scene) -> None:
    """Everything in the scene lies on its ground."""
    ground = scene.ground
    cells = {cell.id for cell in ground.cells}
    assert len(cells) == len(ground.cells), "two cells share an id"
    ends = {end for link in ground.links for end in (link.a, link.b)}
    assert ends <= cells, f"a link leads to {', '.join(sorted(ends - cells))}, which the ground does not have"
    places = [
        *(piece.at for piece in scene.pieces),
        *(at for at, _ in scene.fills),
        *(mark.at for mark in scene.marks),
    ]
    lost = set(places) - cells
    assert not lost, f"the scene has something on {', '.join(sorted(lost))}, which the ground does not have"
