"""The conformance tests: requirements for every game.

Inherit `Conformance` in a test class, and set the game::

    from gamelog.testing.conformance import Conformance
    from chess_for_three import GAME

    class TestChessForThree(Conformance):
        game = GAME

pytest runs the checks on at least ten random games for every number of players, on every board and with
every option changed. The checks also try events that were not played in these games. They do not know the
rules of the game. Test the rules with scenarios (`gamelog.testing.scenarios`) and properties.
"""

from __future__ import annotations

from gamelog.testing.checks.bot_checks import BotChecks
from gamelog.testing.checks.canonical_checks import CanonicalChecks
from gamelog.testing.checks.chance_checks import ChanceChecks
from gamelog.testing.checks.display_checks import DisplayChecks
from gamelog.testing.checks.joint_decision_checks import JointDecisionChecks
from gamelog.testing.checks.message_checks import MessageChecks
from gamelog.testing.checks.other_process import OtherProcessChecks
from gamelog.testing.checks.position_checks import PositionChecks
from gamelog.testing.checks.rule_checks import RuleChecks
from gamelog.testing.checks.secrecy_checks import SecrecyChecks
from gamelog.testing.checks.setup_checks import SetupChecks
from gamelog.testing.checks.tap_checks import TapChecks


class Conformance(
    SetupChecks,
    RuleChecks,
    CanonicalChecks,
    ChanceChecks,
    DisplayChecks,
    MessageChecks,
    PositionChecks,
    SecrecyChecks,
    BotChecks,
    JointDecisionChecks,
    TapChecks,
    OtherProcessChecks,
):
    """All checks, in groups. Set ``game``, and ``shown`` and ``covered`` if a state needs them.

    Override nothing else.
    """
