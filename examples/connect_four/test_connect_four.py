"""The tests of Connect Four: the conformance kit for both versions of the rules."""

from connect_four import GAME, v1_0

from gamelog.testing.conformance import Conformance


class TestConnectFour(Conformance):
    game = GAME


class TestRules10(Conformance):
    game = v1_0.GAME
