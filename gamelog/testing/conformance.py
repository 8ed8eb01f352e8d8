"""What every game must keep to, whoever wrote it.

Inherit `Conformance` in a test class and say which game::

    from gamelog.testing.conformance import Conformance
    from chess_for_three import GAME

    class TestChessForThree(Conformance):
        game = GAME

pytest runs the checks over at least ten random games of every number of players, on every board and
with every option changed, and tries in them events that nobody played. Nothing here knows what the game is
about: scenarios and properties say that (`gamelog.testing.scenarios`).
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
    """The checks, in their groups. Set ``game``, ``shown`` and ``covered`` where a state needs them;
    override nothing else.
    """
