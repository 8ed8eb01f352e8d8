"""All that somebody else's game needs by way of tests."""

from pig import GAME

from gamelog.testing.conformance import Conformance


class TestPig(Conformance):
    game = GAME
