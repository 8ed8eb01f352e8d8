"""What every game must keep to, whoever wrote it.

Inherit `Conformance` in a test class and say which game::

    from gamelog.testing.conformance import Conformance
    from chess_for_three import GAME

    class TestChessForThree(Conformance):
        game = GAME

pytest runs the checks over random games of every number of players. Nothing here knows what the
game is about: scenarios and properties say that (`gamelog.testing.scenarios`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar

import msgspec
from msgspec import structs

from gamelog.chance.draws import Dice, Results
from gamelog.chance.stream import outcome
from gamelog.errors import CannotApply
from gamelog.play import boards
from gamelog.play.common import COMMON
from gamelog.play.driver import simulate
from gamelog.play.effects import Effect
from gamelog.play.game import AnyGame, Pending, Violation
from gamelog.play.narrate import ENGINE_PHRASES, PLACE, arguments, sentence, tag_of, template
from gamelog.play.rulebook import rulebook
from gamelog.play.schema import schema
from gamelog.play.sketch import initials, sketch
from gamelog.play.translation import LANGUAGES
from gamelog.play.verify import decoder, replay, verdict
from gamelog.record.compose import compose
from gamelog.record.envelope import ARBITER, TABLE, Event
from gamelog.record.reading import parse
from gamelog.testing.canonical import Canonical
from gamelog.testing.plays import Play, generator, play

STATES = 40
"""States of a game that the slow checks look at."""

STRANGERS = 60
"""Events that are not in a complete list of legal ones, tried in each of those states."""


@cache
def _plays(game_id: int) -> tuple[Play, ...]:
    game = _games[game_id]
    return tuple(play(game, index, players) for index, players in enumerate(sorted(game.seats)))


_games: dict[int, AnyGame] = {}


class Conformance(Canonical):
    """The checks. Set ``game``, and ``shown`` where a state needs it; override nothing else."""

    game: ClassVar[AnyGame]

    def plays(self) -> tuple[Play, ...]:
        """One random game for each number of players, made once."""
        _games[id(self.game)] = self.game
        return _plays(id(self.game))

    def states(self) -> list[Any]:
        """A sample of their states."""
        rng = generator("conformance")
        return [state for game in self.plays() for state in game.some_states(rng, STATES)]

    def test_names_collide_with_nothing(self) -> None:
        tags = [tag_of(kind) for kind in self.game.events]
        assert len(set(tags)) == len(tags), "two event types share a tag"
        assert not [tag for tag in tags if not tag.isidentifier()], "a tag is one word of letters, digits and _"
        assert not set(tags) & {tag_of(kind) for kind in COMMON}
        assert set(self.game.chance_events) <= set(self.game.events)
        seats = {seat for order in self.game.seats.values() for seat in order}
        assert not seats & {TABLE, ARBITER}
        for players, order in self.game.seats.items():
            assert len(set(order)) == len(order) == players
        for kind in self.game.events:
            assert kind.__struct_fields__[:3] == ("n", "t", "by"), (
                f"{kind.__name__} must derive from gamelog.record.envelope.Event"
            )

    def test_boards_read_and_keep_their_digest(self) -> None:
        for name in self.game.boards:
            reference = boards.reference(self.game, name)
            assert reference == boards.reference(self.game, name)
            assert boards.resolve(self.game, reference) == boards.resolve(self.game, self.game.boards[name]())

    def test_events_and_states_go_through_json_and_back(self) -> None:
        for game in self.plays():
            for event in game.events:
                assert decoder(self.game).decode(msgspec.json.encode(event)) == event
            for state in game.some_states(generator("json"), STATES):
                assert msgspec.json.encode(state)

    def test_folding_is_pure(self) -> None:
        for game in self.plays():
            before = [msgspec.json.encode(state) for state in game.states]
            for state, event, after in game.steps():
                assert self.game.check(state, event) is None
                assert self.game.apply(state, event) == after
                assert type(after).__struct_config__.frozen, "states are frozen structs"
            assert before == [msgspec.json.encode(state) for state in game.states], "a state was changed in place"

    def test_exactly_one_thing_is_pending(self) -> None:
        for game in self.plays():
            for state in game.states:
                pending = self.game.pending(state)
                assert sum(map(bool, (pending.by, pending.chance, pending.outcome))) == 1, pending
            assert self.game.pending(game.states[-1]).outcome

    def test_every_legal_event_passes_check_and_applies(self) -> None:
        for state in self.states():
            pending = self.game.pending(state)
            if pending.by:
                legal = self.game.legal(state)
                assert legal.events, "somebody is to act and nothing is legal"
                for event in legal.events:
                    assert self.game.check(state, event) is None, event
                    self.game.apply(state, event)

    def test_where_the_list_is_complete_all_others_are_refused(self) -> None:
        for game in self.plays():
            rng = generator("strangers")
            known = [structs.replace(event, n=0, t=0) for event in game.events]
            for state in game.some_states(rng, STATES):
                if not self.game.pending(state).by:
                    continue
                legal = self.game.legal(state)
                if not legal.complete:
                    continue
                before = msgspec.json.encode(state)
                listed = [self.game.canonical(event) for event in legal.events]
                for event in rng.sample(known, min(STRANGERS, len(known))):
                    stranger = structs.replace(event, by=rng.choice(game.header.seat_ids))
                    refused = self.game.check(state, stranger)
                    assert (refused is None) == (self.game.canonical(stranger) in listed), (stranger, refused)
                assert msgspec.json.encode(state) == before

    def test_sample_gives_legal_events(self) -> None:
        rng = generator("sample")
        for state in self.states():
            if self.game.pending(state).by:
                event = self.game.sample(state, rng)
                assert self.game.check(state, event) is None, event

    def test_chance_is_owed_and_judged(self) -> None:
        rng = generator("chance")
        for state in self.states():
            owed = self.game.pending(state).chance
            if owed is None:
                continue
            assert not self.game.legal(state).events, "nothing is to be decided while chance is owed"
            results = outcome(b"kit", rng.randbytes(8), owed.draws)
            event = self.game.chance(state, results)
            assert (tag_of(type(event)), event.by) == (owed.do, owed.by)
            assert isinstance(event, self.game.chance_events)
            assert self.game.check(state, event) is None, event
            for wrong in _impossible(owed.draws, results):
                assert self.game.check(state, self.game.chance(state, wrong)), wrong

    def test_the_end_is_the_end(self) -> None:
        for game in self.plays():
            last = game.states[-1]
            outcome_ = self.game.pending(last).outcome
            assert outcome_ and set(outcome_.winners) <= set(game.header.seat_ids) and outcome_.reason
            assert not self.game.legal(last).events
            for event in game.events[-50:]:
                assert self.game.check(last, event), "something is still legal after the end"

    def test_check_never_fails_and_apply_says_when_it_cannot(self) -> None:
        for game in self.plays():
            rng = generator("anything")
            for state in game.some_states(rng, STATES):
                for event in rng.sample(game.events, min(STRANGERS, len(game.events))):
                    by = rng.choice((*game.header.seat_ids, TABLE, ARBITER))
                    anything = structs.replace(event, by=by)
                    found = self.game.check(state, anything)
                    assert found is None or isinstance(found, Violation)
                    try:
                        after = self.game.apply(state, anything)
                    except CannotApply:
                        assert found, "apply is total on what check accepts"
                    else:
                        assert isinstance(self.game.pending(after), Pending)

    def test_resigning_is_judged_wherever_the_game_stands(self) -> None:
        if self.game.retire is None:
            return
        book = rulebook(self.game)
        for game in self.plays():
            for state in game.states:
                for seat in game.header.seat_ids:
                    after = self.game.retire(state, seat)
                    if isinstance(after, Violation):
                        assert after.rule in book, f"{after.rule} is not in RULES.md"
                        continue
                    pending = self.game.pending(after)
                    assert sum(map(bool, (pending.by, pending.chance, pending.outcome))) == 1, pending
                    assert set(self.game.score(after)) == set(game.header.seat_ids)

    def test_every_violation_names_a_rule(self) -> None:
        book = rulebook(self.game)
        assert book, "RULES.md has no numbered rules"
        for game in self.plays():
            rng = generator("violations")
            for state in game.some_states(rng, STATES):
                for event in rng.sample(game.events, min(STRANGERS, len(game.events))):
                    found = self.game.check(state, structs.replace(event, by=rng.choice(game.header.seat_ids)))
                    if found:
                        assert found.rule in book, f"{found.rule} is not in RULES.md"
                        assert found.text and not found.text.endswith("."), "a violation is a clause without a full stop"

    def test_scenes_and_sentences_never_fail(self) -> None:
        for game in self.plays():
            ground = self.game.scene(game.states[0], None).ground
            cells = {cell.id for cell in ground.cells}
            assert len(cells) == len(ground.cells), "two cells share an id"
            ends = {end for link in ground.links for end in (link.a, link.b)}
            assert ends <= cells, f"a link leads to {', '.join(sorted(ends - cells))}, which the ground does not have"
            for state, event, after in game.steps():
                effects = self.game.effects(state, event, after)
                text = sentence(self.game, event, effects, str)
                assert "{" not in text and "None" not in text, text
            for state in game.some_states(generator("scenes"), STATES):
                for seat in (None, *game.header.seat_ids):
                    scene = self.game.scene(self.game.observe(state, seat), seat)
                    assert scene.ground == ground, "the ground changes"
                    places = [*(piece.at for piece in scene.pieces), *(at for at, _ in scene.fills), *(m.at for m in scene.marks)]
                    lost = set(places) - cells
                    assert not lost, f"the scene has something on {', '.join(sorted(lost))}, which the ground does not have"
                    assert sketch(scene, initials(game.header.seat_ids))

    def test_phrases_fit_what_they_speak_of(self) -> None:
        seen: dict[str, Event | Effect] = {}
        for game in self.plays():
            for state, event, after in game.steps():
                things: list[Event | Effect] = [event, *self.game.effects(state, event, after)]
                for thing in things:
                    seen.setdefault(tag_of(type(thing)), thing)
        for kind in self.game.events:
            assert tag_of(kind) in self.game.phrases, f"no phrase for {tag_of(kind)}"
        for tag, thing in seen.items():
            for _, name in PLACE.findall(template(self.game, thing)):
                assert name in arguments(thing), f"the phrase for {tag} asks for {name}"

    def test_translations_ask_for_what_the_english_asks_for(self) -> None:
        english = {**ENGINE_PHRASES, **self.game.phrases}
        for language in LANGUAGES:
            for tag, text in self.game.translation(language).phrases.items():
                assert tag in english, f"{language} has a phrase for {tag}, which English does not"
                assert set(PLACE.findall(text)) == set(PLACE.findall(english[tag])), f"{language}, {tag}: {text}"

    def test_scores_speak_of_the_seats(self) -> None:
        for game in self.plays():
            for state in game.states:
                assert set(self.game.score(state)) == set(game.header.seat_ids)

    def test_points_hang_on_the_members_named_alone(self) -> None:
        for game in self.plays():
            members = [name for name in game.states[0].__struct_fields__ if name != "setup"]
            strange = set(self.game.scored) - set(members)
            assert not strange, f"the state has no member {', '.join(sorted(strange))}; it has {', '.join(members)}"
            known: dict[bytes, dict[str, int]] = {}
            for state in game.states:
                watched = msgspec.json.encode([getattr(state, name) for name in self.game.scored or members])
                points = self.game.score(state)
                assert known.setdefault(watched, points) == points, "the points are others, and nothing watched is"

    def test_games_of_every_bot_end_and_verify(self) -> None:
        assert {"random", "greedy"} <= set(self.game.bots)
        for index, bot in enumerate(sorted(self.game.bots)):
            for players in sorted(self.game.seats):
                header, events = simulate(self.game, "bots", index, players=players, bots=(bot,))
                judged = verdict(replay(parse(compose(header, events)[0])))
                assert (judged.status, judged.finished) == ("ok", True), judged.findings

    def test_simulations_repeat_byte_for_byte(self) -> None:
        players = min(self.game.seats)
        first = compose(*simulate(self.game, "twice", 1, players=players))
        assert first == compose(*simulate(self.game, "twice", 1, players=players))

    def test_lines_fit_the_schema(self) -> None:
        from jsonschema import Draft202012Validator

        whole = schema(self.game)
        Draft202012Validator.check_schema(whole)
        for game in self.plays():
            data, _ = compose(game.header, game.events)
            lines = [msgspec.json.decode(line) for line in data.splitlines()]
            kinds = ["Header", *(type(event).__name__ for event in game.events)]
            for kind in sorted(set(kinds)):
                validator = Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": whole["$defs"]})
                for line in [line for line, other in zip(lines, kinds, strict=True) if other == kind][:30]:
                    validator.validate(line)


def _impossible(draws: tuple[Any, ...], results: Results) -> list[Results]:
    """`results` spoiled: a face that no die has, a die too many, one too few."""
    first = results[0]
    wrong: list[Results] = [((*first, first[0]), *results[1:]), (first[1:], *results[1:])]
    if isinstance(draws[0], Dice):
        wrong += [((draws[0].sides + 1, *first[1:]), *results[1:]), ((0, *first[1:]), *results[1:])]
    return [results_ for results_ in wrong if results_ != results]
