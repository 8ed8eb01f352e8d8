"""The tests of Pig: the conformance kit."""

from pig import GAME

from gamelog.testing.conformance import Conformance


class TestPig(Conformance):
    game = GAME
