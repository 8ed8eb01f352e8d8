"""The tests of Backgammon: the conformance kit."""

from backgammon import GAME

from gamelog.testing.conformance import Conformance


class TestBackgammon(Conformance):
    game = GAME
