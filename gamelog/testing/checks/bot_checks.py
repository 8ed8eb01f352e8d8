"""Checks of the bots, and of whole games between bots."""

from __future__ import annotations

from gamelog.chance.rng import reseed_shared_generator
from gamelog.message import Message
from gamelog.play.contract.rulebook import rulebook
from gamelog.play.contract.seats import MemoryBot
from gamelog.play.contract.violation import Violation
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.judging.verdict import verdict
from gamelog.play.recording.series import simulate_game
from gamelog.record.envelope import TABLE, tag_of
from gamelog.record.reading import parse_record
from gamelog.record.record_file import compose
from gamelog.testing.checks.malformed_events import STRANGE_WORDS, strings
from gamelog.testing.checks.random_games import MAX_BOT_EVENTS, Checks
from gamelog.testing.plays import generator


class BotChecks(Checks):
    """Checks of `bots`, `left`, `due_rules`, `shorthand` and `agreed`."""

    def test_games_of_every_bot_end_and_verify(self) -> None:
        """Check that a game of each bot, for each number of players, ends with a valid record."""
        wanted = {"random", "greedy"} if self.game.has_points else {"random"}
        assert wanted <= set(self.game.bots), (
            "a game with points needs a bot that plays for points, called greedy"
        )
        for index, bot in enumerate(sorted({*self.game.bots} - {TABLE})):
            for players in sorted(self.game.seats):
                header, events = simulate_game(
                    self.game, "bots", index, players=players, bots=(bot,), max_events=MAX_BOT_EVENTS
                )
                judged = verdict(fold_record(parse_record(compose(header, events)[0]), self.game))
                assert (judged.status, judged.finished) == ("ok", True), judged.findings

    def test_bots_use_only_the_given_random_numbers(self) -> None:
        """Check that a bot with the same generator chooses the same legal event again."""
        for name, bot in self.game.bots.items():
            rng = generator("bots", name)
            if isinstance(bot, MemoryBot):
                self._check_repetition(name)
                continue
            for game in self.sample.plays:
                asked = [(state, by) for state in game.states if (by := self.game.pending(state).by)]
                decisions = [(state, by[0]) for state, by in asked if (by == (TABLE,)) is (name == TABLE)]
                if not decisions:
                    continue
                state, seat = rng.choice(decisions)
                seen = self.game.observe(state, None if seat == TABLE else seat)
                chosen = []
                for _ in range(2):
                    # A bot that uses the shared generator instead of its own now answers differently.
                    reseed_shared_generator()
                    chosen.append(bot(seen, seat, generator("asked", name)))
                assert chosen[0] == chosen[1], (
                    f"{name} chooses {chosen[0]}, then {chosen[1]}: it uses other random numbers than those "
                    "of its generator"
                )
                assert chosen[0].by == seat and self.game.check(state, chosen[0]) is None, (
                    f"{name} chooses the illegal event {chosen[0]} in a game with {game.header.options} on "
                    f"{str(game.header.board)[:60]}"
                )

    def _check_repetition(self, name: str) -> None:
        """Raise AssertionError if a bot with a memory does not play the same game a second time."""
        games = []
        for _ in range(2):
            reseed_shared_generator()
            games.append(
                compose(
                    *simulate_game(
                        self.game,
                        "asked",
                        1,
                        players=min(self.game.seats),
                        bots=(name,),
                        max_events=MAX_BOT_EVENTS,
                    )
                )
            )
        assert games[0] == games[1], (
            f"{name} plays another game the second time: it uses other random numbers than those of its "
            "generator"
        )

    def test_shorthand_gives_events_or_violations(self) -> None:
        """Check that random short words give events of the game, a violation by a rule, or None.

        In the same states it checks `left`, and in all states `due_rules`.
        """
        book, tags = rulebook(self.game), [tag_of(kind) for kind in self.game.events]
        rng = generator("short words")
        known = [*STRANGE_WORDS, *tags, *map(str, range(10)), *sorted(strings(self.sample.kinds))]
        for _, state in self.sample.states("short words"):
            unknown = set(self.game.due_rules(state)) - set(book)
            assert not unknown, (
                f"due_rules names {' and '.join(sorted(unknown))}, which RULES.md does not have"
            )
            if not self.game.pending(state).by:
                continue
            assert isinstance(self.game.left(state), str | Message)
            for count in (0, 1, 1, 1, 2, 3):
                typed = tuple(rng.choices(known, k=count))
                meant = self.game.shorthand(state, typed)
                if isinstance(meant, Violation):
                    assert meant.rule in book, f"{meant.rule} is not in RULES.md"
                for event in () if meant is None or isinstance(meant, Violation) else meant:
                    assert isinstance(event, self.game.events), (
                        f"shorthand turns {' '.join(typed)} into {event}, which is not an event of the game"
                    )

    def test_agreements_name_other_seats(self) -> None:
        for game in self.sample.plays:
            for event in game.events:
                if type(event) in self.game.agreed:
                    others = set(self.game.agreed[type(event)](event))
                    assert others and others <= set(game.header.seat_ids) - {event.by}, (
                        f"agreed gives {others} for {event}, which are not other seats"
                    )

    def test_simulations_repeat_byte_for_byte(self) -> None:
        players = min(self.game.seats)
        first = compose(*simulate_game(self.game, "twice", 1, players=players, max_events=MAX_BOT_EVENTS))
        assert first == compose(
            *simulate_game(self.game, "twice", 1, players=players, max_events=MAX_BOT_EVENTS)
        )
