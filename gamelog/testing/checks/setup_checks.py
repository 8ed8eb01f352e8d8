"""Checks of the setup: names, boards, options, the start, and the schema."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from msgspec import structs

from gamelog.errors import BadSetup, Endless
from gamelog.play.contract import boards
from gamelog.play.fold.common_events import COMMON
from gamelog.play.fold.parts.event_list import decoder
from gamelog.play.fold.start import start
from gamelog.play.recording.header import new_header
from gamelog.play.recording.schema import schema
from gamelog.record.envelope import ARBITER, TABLE, Seat, tag_of
from gamelog.record.record_file import compose
from gamelog.testing.checks.options import convert_options, invalid_options, named_values, variations
from gamelog.testing.checks.random_games import MAX_SLOW_POSITIONS, Checks, names_of_boards
from gamelog.testing.plays import generator, play

_TRIAL_EVENTS = 200
"""Number of events that are played with each changed option."""


class SetupChecks(Checks):
    """Checks of names, boards, options, the start and the schema."""

    def test_names_are_unique(self) -> None:
        """Check that tags and seats are unique, valid and not used by common events."""
        tags = [tag_of(kind) for kind in self.game.events]
        assert len(set(tags)) == len(tags), "two event types share a tag"
        assert not [tag for tag in tags if not tag.isidentifier()], (
            "a tag must be one word of letters, digits and _"
        )
        assert not set(tags) & {tag_of(kind) for kind in COMMON}, (
            "the common events of all games use this tag"
        )
        left_out = {kind.__name__ for kind in self.game.chance_events if kind not in self.game.events}
        assert not left_out, f"{' and '.join(sorted(left_out))} is in chance_events, but not in events"
        seats = {seat for order in self.game.seats.values() for seat in order}
        assert not seats & {TABLE, ARBITER}, f"no seat may have the name {TABLE} or {ARBITER}"
        for players, order in self.game.seats.items():
            assert len(set(order)) == len(order) == players, (
                f"{players} players need {players} different seats, not {order}"
            )
        for kind in self.game.events:
            assert kind.__struct_fields__[:3] == ("n", "t", "by"), (
                f"{kind.__name__} must derive from gamelog.record.envelope.Event"
            )

    def test_boards_keep_their_digest(self) -> None:
        for name in self.game.boards:
            reference = boards.board_reference(self.game, name)
            assert reference == boards.board_reference(self.game, name)
            assert boards.resolve(self.game, reference) == boards.resolve(self.game, self.game.boards[name]())

    def test_data_that_is_not_a_board_is_refused_in_a_sentence(self) -> None:
        """Check that ``read_board`` raises only ValueError for spoiled data."""
        for name in self.game.boards:
            data = self.game.boards[name]()
            spoiled = [{key: value for key, value in data.items() if key != gone} for gone in data]
            spoiled += [
                {**data, key: value}
                for key in data
                for value in (None, [], {}, "?", -1, [["?"]], [0], {"?": "?"})
            ]
            for other in spoiled:
                try:
                    self.game.read_board(other)
                except ValueError:  # this includes the errors of msgspec
                    continue
                except Exception as error:
                    raise AssertionError(
                        f"read_board raises {error!r}, not a ValueError in a sentence, for {str(other)[:300]}"
                    ) from error

    def test_every_board_starts_games(self) -> None:
        for name in names_of_boards(self.game):
            started = [self._starts(players, board=name) for players in sorted(self.game.seats)]
            assert any(started), f"no game starts on the board {name}" if name else "no game starts"

    def test_every_option_starts_and_is_played(self) -> None:
        """Check that a game starts with another value of each option, and plays without errors."""
        started: dict[tuple[str, Any], bool] = {}
        for at, given in enumerate(variations(self.game.Options)):
            (option,) = given.items()
            started[option] = any(
                self._starts(players, board, given)
                for board in names_of_boards(self.game)
                for players in sorted(self.game.seats)
            )
            for players in sorted(self.game.seats):
                with suppress(BadSetup, Endless):
                    play(self.game, at, players, max_events=_TRIAL_EVENTS, **given)
        for name in {name for name, _ in started}:
            assert any(begun for (other, _), begun in started.items() if other == name), (
                f"no game starts with another value of the option {name}"
            )
        for name, value in named_values(self.game.Options) & started.keys():
            assert started[name, value], (
                f"the type of the option {name} allows {value!r}, but no game starts with this value: "
                "narrow the type, or let the game start"
            )

    def test_options_have_defaults_and_resolve_keeps_them(self) -> None:
        """Check that options have defaults, and that ``resolve`` keeps one value of each."""
        default = convert_options(self.game.Options, {})
        assert default is not None, "every option must have a default"
        assert type(default).__struct_config__.frozen, "options must be frozen structs"
        kept: dict[str, bool] = {}
        for given in variations(self.game.Options):
            (name,) = given
            asked = msgspec.convert(given, self.game.Options)
            resolved = self.game.resolve(asked)
            assert isinstance(resolved, self.game.Options), (
                f"{given}: resolve gives {type(resolved).__name__}, not the Options of the game"
            )
            assert self.game.resolve(resolved) == resolved, (
                f"{given}: resolve, applied twice, gives other options"
            )
            kept[name] = kept.get(name, False) or getattr(resolved, name) == getattr(asked, name)
        lost = [name for name, held in kept.items() if not held]
        assert not lost, f"resolve changes every value of the option {', '.join(lost)}"

    def test_options_are_refused_in_a_sentence_or_accepted(self) -> None:
        for given in invalid_options(self.game.Options):
            if convert_options(self.game.Options, given) is not None:
                self._starts(min(self.game.seats), None, given)

    def _starts(self, players: int, board: str | None = None, options: dict[str, Any] | None = None) -> bool:
        """Return whether a game starts in this way. `BadSetup` is a refusal. Other errors are raised."""
        seats = [Seat(seat) for seat in self.game.seats[players]]
        try:
            head = new_header(
                self.game, seats, id="kit", started="2026-01-01T00:00:00Z", options=options, board=board
            )
            state = start(self.game, head)
        except BadSetup:
            return False
        pending = self.game.pending(state)
        assert pending.by or pending.chance, "nothing is pending at the start"
        return True

    def test_events_and_states_go_through_json_and_back(self) -> None:
        for game in self.sample.plays:
            for event in game.events[:1_000]:
                assert decoder(self.game).decode(msgspec.json.encode(event)) == event
        for _, state in self.sample.states("json"):
            assert msgspec.json.encode(state)

    def test_lines_fit_the_schema(self) -> None:
        """Check that headers and events fit the JSON Schema of the game."""
        from jsonschema import Draft202012Validator
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012

        shared, whole = schema(), schema(self.game)
        Draft202012Validator.check_schema(whole)
        registry: Registry[Any] = Registry().with_resources(
            (contents["$id"], DRAFT202012.create_resource(contents)) for contents in (shared, whole)
        )
        validators: dict[str, Any] = {}
        for game in self.sample.plays:
            numbers = sorted(
                generator("schema").sample(range(len(game.events)), min(MAX_SLOW_POSITIONS, len(game.events)))
            )
            events = [structs.replace(game.events[at], n=number) for number, at in enumerate(numbers, 1)]
            lines = compose(game.header, events)[0].splitlines()
            for kind, line in zip(
                ["Header", *(type(event).__name__ for event in events)], lines, strict=True
            ):
                if kind not in validators:
                    where = whole if kind in whole["$defs"] else shared
                    validators[kind] = Draft202012Validator(
                        {"$ref": f"{where['$id']}#/$defs/{kind}"}, registry=registry
                    )
                validators[kind].validate(msgspec.json.decode(line))
