"""The short answers: a sentence for each stock question that has no section of its own.

Each row of the list names the stock question with all rows. A question without rows is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from gamelog_reports.report.section import QuestionLink, Section
from gamelog_reports.report.source import Source
from gamelog_reports.report.wording import MIN_DRAWN

_MIN_STREAK = 2
"""Minimum number of successive victories or defeats that make a streak."""

_FINISHED = "SELECT count(*) FROM counted_games($game) WHERE finished"
"""The number of games with a result. The stock question has at most a part of them."""

_Rows = list[dict[str, Any]]


class ShortAnswer(NamedTuple):
    """The answer to a stock question in one sentence.

    Attributes:
        question: Name of the stock question.
        text: The answer.
        id: Id of the record that the sentence is about, or None.
        n: Number of the event that the sentence is about, or None.
    """

    question: str
    text: str
    id: str | None = None
    n: int | None = None


def short_answers_section(source: Source) -> Section:
    """Return the section with the short answers about a game."""
    return _section(source, _OF_A_GAME, source.wording("No further question has an answer."))


def league_section(source: Source) -> Section | None:
    """Return the section with the short answers about the league, or None without a league."""
    if not source.reader.ask("FROM league").rows:
        return None
    return _section(source, _OF_THE_LEAGUE, source.wording("No game counts in the league yet."))


def _section(
    source: Source, answers: tuple[Callable[[Source], Iterator[ShortAnswer]], ...], empty: str
) -> Section:
    """Return a section with the answers that have rows."""
    say = source.wording
    is_league = answers is _OF_THE_LEAGUE
    slug, topic = ("league", say("League")) if is_league else ("answers", say("Short answers"))
    found = [answer for make in answers for answer in make(source)]
    if not found:
        return Section(slug, topic, empty)
    game = source.game if source.game and re.fullmatch(r"\w+", source.game) and not is_league else ""
    rows: list[dict[str, Any]] = [
        {
            "answer": answer.text,
            "game": source.record(answer.id, answer.n) if answer.id else "",
            "list": QuestionLink(answer.question, game),
        }
        for answer in found
    ]
    heads = {"answer": "answer", "game": "game", "list": "full list"}
    if not any(row["game"] for row in rows):
        heads.pop("game")
    text = "{n} more {n:answer|answers}"
    return Section(
        slug,
        topic,
        say(text, n=len(found)),
        tables=(source.table(rows, heads, name="Short answers"),),
        is_wide=True,
    )


def _results(source: Source) -> Iterator[ShortAnswer]:
    say = source.wording
    ((finished,),) = source.reader.ask(_FINISHED, {"game": source.game}).rows
    for latest in source.ask("game_results", most=1):
        winners = say.join([source.player(player) for player in latest["won_by"]])
        text = (
            "{n} {n:result|results}. The latest game was won by {=players}."
            if winners
            else "{n} {n:result|results}. The latest game was a draw."
        )
        yield ShortAnswer("game_results", say(text, n=finished, players=winners), latest["id"])


def _kinds(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, source.ask("kinds")
    for what, text in (
        ("event", "The most frequent event is {=kind}: {=times} times for each game."),
        ("consequence", "The most frequent consequence is {=kind}: {=times} times for each game."),
    ):
        row = next((row for row in rows if row["what"] == what), None)
        if row:
            times = say.number(row["per_game"], 1)
            yield ShortAnswer("kinds", say(text, kind=say.word(row["kind"]), times=times))


def _openings(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, source.ask("openings", least=MIN_DRAWN)
    if rows:
        row = max(rows, key=lambda row: row["games"])
        text = (
            "{=seat} most often begins with {=opening}: in {n} {n:game|games}, with {=share} of the "
            "victories."
        )
        opening = _event_text(source, row["opening"])
        share = say.percent(row["share"])
        text = say(text, seat=say.word(row["seat"]), opening=opening, n=row["games"], share=share)
        yield ShortAnswer("openings", text)


def _event_text(source: Source, opening: str) -> str:
    """Return a decision in words, from its kind and its members as JSON.

    An anonymous report names only the kind, because members may be texts of people.
    """
    say = source.wording
    kind, _, members = opening.partition(" ")
    if source.people.anonymous:
        return say.word(kind)
    values = json.loads(members).values()
    return " ".join(
        [say.word(kind), *(value if isinstance(value, str) else json.dumps(value) for value in values)]
    )


def _sitters(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, source.ask("sitters")
    if rows:
        seats = {(row["id"], row["seat"]) for row in rows}
        text = "At {n} {n:seat|seats}, one person took over from another."
        yield ShortAnswer("sitters", say(text, n=len(seats)), rows[0]["id"])


def _streaks(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, source.ask("streaks")
    for kind, text in (
        ("wins", "The longest run of victories: {=player} won {n} games in succession."),
        ("losses", "The longest run of defeats: {=player} lost {n} games in succession."),
    ):
        row = max(rows, key=lambda row: row[kind], default=None)
        if row and row[kind] >= _MIN_STREAK:
            yield ShortAnswer("streaks", say(text, player=source.player(row["player"]), n=row[kind]))


def _time_trouble(source: Source) -> Iterator[ShortAnswer]:
    say = source.wording
    rows = [row for row in source.ask("time_trouble", least=MIN_DRAWN) if row["hurry"] is not None]
    if rows:
        text = (
            "{=player} hurries most at the end: a late decision takes {=part} of the time of an earlier "
            "one, in {n} games."
        )
        row = rows[0]
        part = say.percent(row["hurry"])
        yield ShortAnswer(
            "time_trouble", say(text, player=source.player(row["player"]), part=part, n=row["games"])
        )


def _rating_history(source: Source) -> Iterator[ShortAnswer]:
    say, first, last = source.wording, dict[str, Any](), dict[str, Any]()
    rows = source.ask("rating_history")
    for row in rows:
        first.setdefault(row["player"], row)
        last[row["player"]] = row
    gains = {player: last[player]["rating"] - first[player]["rating"] for player in last}
    risen = [player for player, gain in gains.items() if gain > 0]
    if risen:
        player = max(risen, key=lambda player: gains[player])
        text = (
            "{=player} has the largest rise of a rating since the first day: from {=first} to {=last} ± "
            "{=margin} points."
        )
        values = {
            "first": first[player]["rating"],
            "last": last[player]["rating"],
            "margin": last[player]["margin"],
        }
        shown = {name: say.number(value) for name, value in values.items()}
        yield ShortAnswer("rating_history", say(text, player=source.player(player), **shown))
    elif last:
        text = "{n} {n:player has|players have} a rating on {days} {days:day|days} in all."
        days = len({row["day"] for row in rows})
        yield ShortAnswer("rating_history", say(text, n=len(last), days=days))


def _turning_points(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, source.ask("turning_points")
    if rows:
        better = sum(row["better"] is True for row in rows)
        text = (
            "{n} {n:turning point|turning points} in {games} {games:game|games}. At {better} of them, "
            "another choice was better."
        )
        shown = say(text, n=len(rows), games=len({row["id"] for row in rows}), better=better)
        yield ShortAnswer("turning_points", shown, rows[0]["id"], rows[0]["n"])


def _luck_and_choice(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, source.ask("luck_and_choice", by="player")
    if rows:
        row = max(rows, key=lambda row: row["luck"])
        text = (
            "{=player} had the most luck: in the mean of {n} analysed games, rolls changed the chance by "
            "{=luck} percentage points, and choices of all players by {=choices}."
        )
        luck, choices = (_signed_percent(source, row[name]) for name in ("luck", "choices"))
        shown = say(text, player=source.player(row["player"]), luck=luck, n=row["games"], choices=choices)
        yield ShortAnswer("luck_and_choice", shown)


def _signed_percent(source: Source, value: float) -> str:
    """Return a change of a chance in percentage points, with its sign."""
    return source.wording.number(100 * value, 0, "+")


def _decisive_moments(source: Source) -> Iterator[ShortAnswer]:
    say = source.wording
    for row in source.ask("decisive_moments", most=1):
        causes = {
            "luck": say("The largest turning point is a roll:"),
            "choice": say("The largest turning point is a choice:"),
        }
        text = "{=cause} the chance of {=player} changed by {=change} percentage points."
        cause = causes.get(row["cause"], say("The largest turning point:"))
        change = _signed_percent(source, row["change"])
        shown = say(text, cause=cause, player=source.player(row["player"]), change=change)
        yield ShortAnswer("decisive_moments", shown, row["id"], row["n"])
    for row in source.ask("decisive_moments", by="kind", most=1):
        text = (
            "Most turning points are at events of the kind {=kind}: {n} of them, in {games} "
            "{games:game|games}."
        )
        shown = say(text, kind=say.word(row["what"]), n=row["moments"], games=row["games"])
        yield ShortAnswer("decisive_moments", shown)


def _adjusted(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, source.ask("adjusted")
    row = next((row for row in rows if row["adjusted"] is not None), None)
    if row:
        text = (
            "{=player} has {=result} of the victories in {n} analysed games, and {=adjusted} ± {=margin} "
            "without luck."
        )
        shares = {name: say.percent(row[name]) for name in ("result", "margin")}
        shares["adjusted"] = say("{=number}%", number=say.number(100 * row["adjusted"]))
        yield ShortAnswer(
            "adjusted", say(text, player=source.player(row["player"]), n=row["games"], **shares)
        )
    elif rows:
        text = "Too few analysed games for results without luck: {n} of a player at most."
        yield ShortAnswer("adjusted", say(text, n=max(row["games"] for row in rows)))


_OF_A_GAME = (
    _results,
    _streaks,
    _rating_history,
    _openings,
    _kinds,
    _time_trouble,
    _sitters,
    _decisive_moments,
    _turning_points,
    _luck_and_choice,
    _adjusted,
)
"""The short answers about a game, in this order."""


def _league_rows(source: Source, question: str) -> _Rows:
    """Return the rows of a question about the league, which has no parameter for a game."""
    return source.reader.ask(question).dicts()


def _standings(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, _league_rows(source, "league_standings")
    leaders = [row for row in rows if row["rank"] == 1 and row["games"]]
    if leaders:
        text = "{=players} {n:leads|lead} the league of {people} people with {=points} points."
        players = say.join([source.player(row["player"]) for row in leaders])
        points = _points(source, leaders[0]["points"])
        shown = say(text, players=players, n=len(leaders), people=len(rows), points=points)
        yield ShortAnswer("league_standings", shown)


def _points(source: Source, points: float) -> str:
    return source.wording.number(points, 2 * bool(points % 1))


def _league_games(source: Source) -> Iterator[ShortAnswer]:
    rows = _league_rows(source, "league_games")
    if rows:
        text = "{n} {n:game counts|games count} in the league."
        yield ShortAnswer("league_games", source.wording(text, n=len(rows)))


def _crosstable(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, _league_rows(source, "league_crosstable")
    if rows:
        row = max(rows, key=lambda row: row["games"])
        text = "{n} {n:pair|pairs} of people met, {=one} and {=other} most often: {games} {games:time|times}."
        one, other = source.player(row["player"]), source.player(row["against"])
        shown = say(text, n=len(rows) // 2, one=one, other=other, games=row["games"])
        yield ShortAnswer("league_crosstable", shown)


def _head_to_head(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, _league_rows(source, "league_head_to_head")
    if rows:
        latest = max(rows, key=lambda row: (str(row["day"] or ""), -row["place"]))
        text = "The latest meeting: {=one} has place {place}, and {=other} place {other_place}."
        one, other = source.player(latest["player"]), source.player(latest["against"])
        shown = say(text, one=one, place=latest["place"], other=other, other_place=latest["against_place"])
        yield ShortAnswer("league_head_to_head", shown)


def _form(source: Source) -> Iterator[ShortAnswer]:
    say, rows = source.wording, _league_rows(source, "league_form")
    if rows:
        row = max(rows, key=lambda row: row["points"])
        letters = {"W": say("W"), "D": say("D"), "L": say("L")}
        text = "{=player} has the best form: {=form} in the last {n} {n:game|games}."
        form = " ".join(letters[letter] for letter in row["form"])
        shown = say(text, player=source.player(row["player"]), form=form, n=row["games"])
        yield ShortAnswer("league_form", shown)


def _to_play(source: Source) -> Iterator[ShortAnswer]:
    rows = _league_rows(source, "league_to_play")
    if rows:
        text = "{n} {n:game is|games are} still to be played."
        yield ShortAnswer("league_to_play", source.wording(text, n=sum(row["games"] for row in rows)))


_OF_THE_LEAGUE = (_standings, _form, _league_games, _crosstable, _head_to_head, _to_play)
"""The short answers about the league, in this order."""
