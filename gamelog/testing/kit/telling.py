"""Checks of what people see: effects, sentences, phrases in every language, scenes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec
from msgspec import Struct

from gamelog.errors import CannotApply
from gamelog.play.contract.effects import Effect, Over, TurnOver
from gamelog.play.contract.scene import Ground, Scene
from gamelog.play.contract.translation import LANGUAGES
from gamelog.play.telling.ascii_board import initials, sketch
from gamelog.play.telling.messages import ENGINE_PHRASES, PLACE, arguments, sentence
from gamelog.record.envelope import Event, tag_of
from gamelog.testing.kit.sample import Checks
from gamelog.testing.kit.strangers import Strangers
from gamelog.testing.plays import Play, generator


class Telling(Checks):
    """`effects`, `phrases`, `translation`, `scene`."""

    def test_scenes_and_sentences_never_fail(self) -> None:
        grounds: dict[int, tuple[Play, Ground]] = {}
        for game, state, event, after in self.sample.steps("sentences"):
            text = sentence(self.game, event, self.game.effects(state, event, after), str)
            assert "{" not in text and "None" not in text, text
            for seat in (None, *game.header.seat_ids):
                scene = self.game.scene(self.game.observe(after, seat), seat)
                _, ground = grounds.setdefault(id(game), (game, scene.ground))
                assert scene.ground == ground, "the ground changes"
                _drawn(scene)
                assert sketch(scene, initials(game.header.seat_ids)), "the terminal has nothing to draw"

    def test_the_end_and_the_turns_are_told(self) -> None:
        for game in self.sample.plays:
            over, turns, deciders = 0, 0, []
            expected: str | None = None
            for state, event, after in game.steps():
                effects = self.game.effects(state, event, after)
                pending = self.game.pending(after)
                ends = [effect for effect in effects if isinstance(effect, Over)]
                over += len(ends)
                assert bool(ends) == bool(pending.outcome), (
                    f"{event}: the effect Over belongs to the end of the game, and to nothing else"
                )
                for end in ends:
                    assert pending.outcome and set(end.winners) == set(pending.outcome.winners), "Over names other winners"
                for turn in effects:
                    if isinstance(turn, TurnOver):
                        turns, expected = turns + 1, turn.next
                        assert turn.seat in game.header.seat_ids, f"a turn of {turn.seat}, who has no seat"
                if pending.by and expected is not None:
                    assert expected in pending.by, f"TurnOver says that {expected} is next; {' and '.join(pending.by)} may act"
                    expected = None
                if event.by in game.header.seat_ids and not isinstance(event, self.game.chance_events):
                    deciders.append(event.by)
            assert over == 1, f"the end was told {over} times"
            handed_on = sum(a != b for a, b in pairwise(deciders))
            assert turns or handed_on < 3, "the seats take turns and no effect TurnOver says so"

    def test_effects_of_illegal_events_do_not_fail(self) -> None:
        rng = generator("illegal effects")
        for game in self.sample.plays:
            strangers = Strangers(self.game, self.sample.kinds, game.header.seat_ids)
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

    def test_phrases_fit_what_they_speak_of(self) -> None:
        members: dict[str, set[str]] = {}
        for kind in (*self.game.events, *self._effect_types()):
            members[tag_of(kind)] = {*kind.__struct_fields__, *ENGINE_MEMBERS.get(tag_of(kind), ())}
        for _, state, event, after in self.sample.steps("phrases"):
            things: tuple[Event | Effect, ...] = (event, *self.game.effects(state, event, after))
            for thing in things:
                members.setdefault(tag_of(type(thing)), set()).update(arguments(thing))
        for kind in self.game.events:
            assert tag_of(kind) in self.game.phrases, f"no phrase for {tag_of(kind)}"
        for tag, text in self.game.phrases.items():
            assert tag in members or tag in ENGINE_PHRASES, f"a phrase for {tag}, which is neither an event nor an effect"
            for _, name in PLACE.findall(text):
                assert name in members.get(tag, {name}), f"the phrase for {tag} asks for {name}"

    def _effect_types(self) -> Iterator[type[Struct]]:
        """The effects that everybody has, and those that the game's own package defines."""
        package = self.game.effects.__module__.rpartition(".")[0] or self.game.effects.__module__
        kinds = list(Effect.__subclasses__())
        for kind in kinds:
            kinds += kind.__subclasses__()
            if kind.__module__ == Effect.__module__ or kind.__module__.startswith(package):
                yield kind

    def test_translations_ask_for_what_the_english_asks_for(self) -> None:
        english = {**ENGINE_PHRASES, **self.game.phrases}
        for language in LANGUAGES:
            for tag, text in self.game.translation(language).phrases.items():
                assert tag in english, f"{language} has a phrase for {tag}, which English does not"
                assert set(PLACE.findall(text)) == set(PLACE.findall(english[tag])), f"{language}, {tag}: {text}"


ENGINE_MEMBERS = {"contest": ("result",)}
"""What the engine's own templates ask for besides an effect's members."""


def _drawn(scene: Scene) -> None:
    """Everything in the scene lies on its ground."""
    ground = scene.ground
    cells = {cell.id for cell in ground.cells}
    assert len(cells) == len(ground.cells), "two cells share an id"
    ends = {end for link in ground.links for end in (link.a, link.b)}
    assert ends <= cells, f"a link leads to {', '.join(sorted(ends - cells))}, which the ground does not have"
    places = [*(piece.at for piece in scene.pieces), *(at for at, _ in scene.fills), *(mark.at for mark in scene.marks)]
    lost = set(places) - cells
    assert not lost, f"the scene has something on {', '.join(sorted(lost))}, which the ground does not have"
