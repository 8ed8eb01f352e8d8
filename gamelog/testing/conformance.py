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

from gamelog.testing.kit.bot_checks import Playing
from gamelog.testing.kit.canonical import Canonical
from gamelog.testing.kit.display_checks import Telling
from gamelog.testing.kit.joint_decision_checks import Together
from gamelog.testing.kit.other_process import OtherProcess
from gamelog.testing.kit.positions import Positions
from gamelog.testing.kit.rule_checks import Judging
from gamelog.testing.kit.secrecy import Secrecy
from gamelog.testing.kit.setting_up import SettingUp
from gamelog.testing.kit.tap_checks import Touching
from gamelog.testing.kit.wording import Wording


class Conformance(
    SettingUp,
    Judging,
    Canonical,
    Telling,
    Wording,
    Positions,
    Secrecy,
    Playing,
    Together,
    Touching,
    OtherProcess,
):
    """All checks, in groups. Set ``game``, and ``shown`` and ``covered`` if a state needs them.

    Override nothing else.
    """
