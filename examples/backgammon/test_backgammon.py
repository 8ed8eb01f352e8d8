"""All that Backgammon needs by way of tests."""

from backgammon import GAME

from gamelog.testing.conformance import Conformance


class TestBackgammon(Conformance):
    game = GAME
