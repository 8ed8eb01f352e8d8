"""The explanation of a report's methods, at its end."""

from __future__ import annotations

from gamelog.archive import MIN_GAMES
from gamelog_reports.report.wording import LEVEL, MIN_DRAWN, Wording


def methods(say: Wording) -> list[tuple[str, str]]:
    """Return the subjects of the explanation and the sentences about each of them."""
    return [*_numbers(say), *_subjects(say)]


def _numbers(say: Wording) -> list[tuple[str, str]]:
    """Return the kinds of numbers and the sentences about each of them."""
    return [
        (
            say("Probability by chance"),
            say(
                "The probability p of a result at least this far from expectation if only chance were at "
                "work. It is multiplied by the number of comparisons in the report (Bonferroni), because "
                "many comparisons find unusual results by chance. A result stands out if the product is "
                "below {=level}.",
                level=say.number(LEVEL, 2),
            ),
        ),
        (
            say("95% interval"),
            say(
                "Wilson's interval for shares. It describes chance only. A difference that is smaller than "
                "the interval can exist without standing out. A chart needs {drawn} games, a rank "
                "needs {least}, and a comparison of seats needs at least {least}.",
                drawn=MIN_DRAWN,
                least=MIN_GAMES,
            ),
        ),
        (
            say("Records that count"),
            say(
                "Copies, branches, and records with errors or open disputes do not count. Walkovers and "
                "games ended by a ruling are left out of shares and ratings."
            ),
        ),
        (
            say("Seats and turn order"),
            say(
                "The test allows for the strength of players and bots, by the ratings from the same "
                "games, and for the uncertainty of these ratings."
            )
            + " "
            + say("All other results ignore the strength of the players."),
        ),
        (
            say("Players"),
            say(
                "Ratings follow Plackett and Luce: 400 points more are odds of ten to one. 1500 is "
                "the mean of the players who met, directly or through others. Time and seats have no "
                "effect. The margin is half of the 95% interval of the distance from the mean."
            ),
        ),
    ]


def _subjects(say: Wording) -> list[tuple[str, str]]:
    """Return the subjects of sections and the sentences about each of them."""
    return [
        (
            say("Dice"),
            say(
                "This shows whether faces come up equally often. It does not show whether a throw "
                "can be predicted or was recorded honestly."
            ),
        ),
        (say("Luck"), say("Luck does not show skill, and past luck does not predict the next roll.")),
        (
            say("Length"),
            say(
                "All lines of a record count as events, including dice and notes. Minutes do not include "
                "pauses. Bots have no times."
            ),
        ),
        (
            say("Leads"),
            say(
                "A player who leads has more points than every other player. Half-time is the middle of "
                "the events."
            ),
        ),
        (
            say("Places and payoffs"),
            say("Place 1 is the best. Tied seats share a place."),
        ),
        (
            say("Board"),
            say(
                "The darker a cell, the more often this happened there. More happens on cells where pieces "
                "often stand."
            ),
        ),
        (
            say("Findings"),
            say(
                "Judging stops at the first error of a record, so later errors are not counted. No "
                "record contains the events that a recorder refused."
            ),
        ),
    ]
