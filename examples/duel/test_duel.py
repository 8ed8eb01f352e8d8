"""All that Duel needs by way of tests."""

from duel import GAME

from gamelog.testing.conformance import Conformance


class TestDuel(Conformance):
    game = GAME
