"""`gamelog analyse`: the chances of the seats after each event, and what luck and choices did to them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer
from msgspec import Struct, structs

from gamelog.analysis.adjusted_results import FOLDS, GameLuck, adjusted_results, variance_factor
from gamelog.analysis.analysis import Analysis, AnalysisSettings, analyse_with_luck, encode
from gamelog.analysis.analysis_path import analysis_path
from gamelog.archive import BYTES, EqualLimits, Item, Workers, find_items, is_remote, read_records
from gamelog.errors import BadSetup, BrokenGame, GamelogError, NotReadable
from gamelog.message import Message
from gamelog.play.fold.game_errors import Audience, describe_failure
from gamelog.play.playing.evaluator import MIN_CHECKED_GAMES, OVERCONFIDENT, Evaluators
from gamelog.record.atomic_files import write_atomically
from gamelog.statistics import margin
from gamelog_cli import arguments, completion
from gamelog_cli.arguments import ChosenLanguage, Jobs, Json, RecordMemory, RecordSeconds
from gamelog_cli.exits import NOT_VALID
from gamelog_cli.printing.language import text_of
from gamelog_cli.printing.output import emit, print_line, print_table, print_warning, with_progress


class Analysed(Struct, frozen=True):
    """The analysis of a record, and the file to write it to.

    Attributes:
        names: Names of the people, by seat.
        luck: Luck of the game, for the results without luck.
        setup: Game and options. Only games of one setup are compared.
    """

    path: str
    analysis: Analysis
    names: dict[str, str]
    luck: GameLuck
    setup: str


def analyse(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Records, folders of records, or packs. The games must be over.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Output folder for the analyses. By default, the folder of each record.",
        ),
    ] = None,
    luck: Annotated[
        bool, typer.Option("--luck", help="Measure luck and choices by the evaluator only, without playouts.")
    ] = False,
    bot: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="Name of the bot that plays on. By default, greedy if the game has it, otherwise random.",
            autocompletion=completion.complete_bots,
        ),
    ] = None,
    swings: Annotated[
        int, typer.Option(min=1, max=100, metavar="N", help="Maximum number of swings to examine.")
    ] = 8,
    error: Annotated[
        float,
        typer.Option(
            min=0.025, max=0.2, metavar="E", help="Largest standard error of a chance that playouts measure."
        ),
    ] = 0.03,
    fit_games: Annotated[
        int,
        typer.Option(
            "--fit-games",
            min=10,
            max=2_000,
            metavar="N",
            help="Number of games that the bot plays against itself, to fit the evaluator.",
        ),
    ] = 150,
    jobs: Jobs = None,
    record_seconds: RecordSeconds = 300,
    record_memory: RecordMemory = "4GB",
    json: Json = False,
    _language: ChosenLanguage = None,
) -> None:
    """Analyse finished games: the chances of each seat, turning points, luck and choices.

    A chance means: the share of games that the seat wins if all seats go on like the bot. The analysis is
    written to NAME.analysis.json. It names the head of the record, and the record does not change.
    """
    settings = AnalysisSettings(bot, fit_games, 0 if luck else swings, error)
    limits = arguments.limits(record_seconds, record_memory)
    items = [structs.replace(item, weight=BYTES) for item in find_items(paths)]
    if not items:
        raise NotReadable(Message.of("{=paths}: there are no records.", paths=" ".join(paths)))
    _check_paths(items, out)
    failed = 0
    played: list[Analysed] = []
    with Workers(
        jobs or min(len(items), os.cpu_count() or 1),
        limits=EqualLimits(limits.timeout, limits.memory),
        limited=True,
    ) as workers:
        work = partial(_analyse, settings=settings, out=out)
        done = workers.map_items(work, _worker_error, items)
        for result in with_progress("analysing", done, len(items)):
            if isinstance(result, GamelogError):
                failed += 1
                print_warning(result.args[0] if result.args else str(result))
                continue
            write_atomically(result.path, encode(result.analysis))
            played.append(structs.replace(result, analysis=structs.replace(result.analysis, points=[])))
            if json:
                emit(result.analysis)
            else:
                _print(result)
    if not json:
        _print_adjusted(played)
    if failed:
        raise typer.Exit(NOT_VALID)


_evaluators = Evaluators()
"""The evaluators of this process, for further records of the same game."""


def _analyse(
    batch: Sequence[Item], *, settings: AnalysisSettings, out: Path | None
) -> Iterator[Analysed | GamelogError]:
    """Yield the analysis of each record, or the error if it cannot be analysed."""
    for item, record in read_records(batch):
        if isinstance(record, GamelogError):
            yield record
            continue
        try:
            analysis, luck = analyse_with_luck(record, settings, _evaluators)
        except GamelogError as error:
            yield error
        except Exception as error:
            failure = describe_failure(error, None, Audience.ANYONE)
            if failure is None:
                raise
            yield BrokenGame(f"{item.place}: {failure}.")
        else:
            header = record.header
            names = {seat.seat: seat.name for seat in header.seats if seat.name} if header else {}
            setup = repr((header.game, header.rules, header.options, header.board)) if header else ""
            yield Analysed(str(analysis_path(item.path, item.member, out)), analysis, names, luck, setup)


def _check_paths(items: Sequence[Item], out: Path | None) -> None:
    """Check that each record has a file of its own for its analysis.

    Raises:
        BadSetup: Two analyses would have the same file, or records of a remote pack have no folder.
    """
    places: dict[str, str] = {}
    for item in items:
        if out is None and is_remote(item.path):
            text = "{=path} is not on this computer. Name the folder of the analyses with -o FOLDER."
            raise BadSetup(Message.of(text, path=item.path))
        path = str(analysis_path(item.path, item.member, out))
        if path in places:
            text = (
                "The analyses of {=one} and {=other} would both be {=path}. Analyse the records of each "
                "folder with a folder of their own after -o."
            )
            raise BadSetup(Message.of(text, one=places[path], other=item.place, path=path))
        places[path] = item.place


def _worker_error(item: Item, error: Exception) -> GamelogError:
    """Return the error for a record whose process was over its limits, or ended."""
    if isinstance(error, TimeoutError):
        text = "{=path}: the analysis took too long. To allow more time, add --record-seconds."
    elif isinstance(error, MemoryError):
        text = "{=path}: the analysis needs more memory. To allow more, add --record-memory."
    else:
        text = "{=path}: the process of the analysis ended."
    return BrokenGame(Message.of(text, path=item.place))


def _print(done: Analysed) -> None:
    """Print the totals and the turning points of a game."""
    analysis = done.analysis
    print_line(done.path)
    text = (
        "A chance is the share of wins if all seats go on like the {=bot} bot. The evaluator is fitted on "
        "{=count} {n:game|games} of this bot against itself."
    )
    games, playouts = analysis.fit_games, analysis.playouts
    print_line(Message.of(text, bot=analysis.bot, count=f"{games:,}", n=games))
    if playouts:
        text = "It is checked by {=count} {n:playout|playouts}."
        print_line(Message.of(text, count=f"{playouts:,}", n=playouts))
    if analysis.checked_games < MIN_CHECKED_GAMES:
        text = (
            "Its chances were compared with {n} other {n:game|games}, too few to say whether they are right."
        )
        print_line(Message.of(text, n=analysis.checked_games))
    elif analysis.slope < OVERCONFIDENT:
        text = "The evaluator is overconfident (slope {=slope}): its chances are too far from even."
        print_line(Message.of(text, slope=f"{analysis.slope:.2f}"))
    columns = (
        Message.of("seat"),
        Message.of("at the start"),
        Message.of("result"),
        Message.of("by luck"),
        Message.of("by choices"),
        Message.of("by other events"),
        "±",
    )
    rows = [
        (
            done.names.get(total.seat, total.seat),
            f"{total.initial:.2f}",
            f"{total.final:.2f}",
            *(_signed(value) for value in (total.luck, total.choices, total.rest)),
            f"{margin(total.error):.2f}",
        )
        for total in analysis.totals
    ]
    print_table([*map(text_of, columns)], rows)
    print_line(
        Message.of("± is the margin of error: the true value is within it with a probability of 95 %.")
    )
    if analysis.playouts:
        _print_turning_points(done)


def _print_turning_points(done: Analysed) -> None:
    """Print the turning points of a game, with the better alternatives."""
    analysis = done.analysis
    text = "{n} turning {n:point|points}; {examined} of {large} large swings were examined."
    found = Message.of(text, n=len(analysis.turning_points), examined=analysis.examined, large=analysis.large)
    print_line(found)
    for point in analysis.turning_points:
        seat = max(range(len(point.swing)), key=lambda index: abs(point.swing[index]))
        person = done.names.get(point.by or "", point.by or "")
        text = {
            "luck": "Event {n}, by luck: {=name} {=swing} (± {=margin}).",
            "choice": "Event {n}, by a choice of {=person}: {=name} {=swing} (± {=margin}).",
        }.get(point.cause, "Event {n}, by another event: {=name} {=swing} (± {=margin}).")
        values = {
            "n": point.n,
            "name": done.names.get(analysis.seats[seat], analysis.seats[seat]),
            "swing": _signed(point.swing[seat]),
            "margin": f"{margin(point.error):.2f}",
        }
        print_line(Message.of(text, **(values | {"person": person} if point.cause == "choice" else values)))
        other = point.alternative
        if other and other.is_better:
            members = " ".join(f"{key}={value}" for key, value in other.event.items() if key != "do")
            better = Message.of(
                "Better for {=person}: {=event}, with a chance of {=chance} (± {=margin}).",
                person=person,
                event=f"{other.event['do']} {members}".rstrip(),
                chance=f"{other.chance:.2f}",
                margin=f"{margin(other.error):.2f}",
            )
            print_line(f"  {text_of(better)}")


def _signed(value: float) -> str:
    """Return a change of a chance with its sign, and zero without one."""
    rounded = round(value, 2)
    return f"{rounded:+.2f}" if rounded else "0.00"


def _print_adjusted(played: list[Analysed]) -> None:
    """Print the mean result of each person beside the mean result without luck, for games of one setup."""
    by_setup: dict[tuple[str, tuple[str, ...]], list[Analysed]] = {}
    for one in played:
        by_setup.setdefault((one.setup, one.analysis.seats), []).append(one)
    for games in by_setup.values():
        if len(games) < 2 * FOLDS:
            continue
        luck = [one.luck for one in games]
        adjusted = adjusted_results(luck)
        results: dict[str, list[tuple[float, float]]] = {}
        for one, raw, less in zip(games, luck, adjusted, strict=True):
            for seat, result, rest in zip(one.analysis.seats, raw.result, less, strict=True):
                results.setdefault(one.names.get(seat, seat), []).append((result, rest))
        text = (
            "{=count} {n:game|games} of {=game}: results with and without luck. The variance of a result is "
            "{=factor} times the variance without luck."
        )
        factor = f"{variance_factor(luck, adjusted):.2f}"
        print_line()
        count, game = len(games), games[0].analysis.game
        print_line(Message.of(text, count=f"{count:,}", n=count, game=game, factor=factor))
        rows = [
            (
                name,
                len(pairs),
                f"{fmean(raw for raw, _ in pairs):.3f}",
                f"{fmean(less for _, less in pairs):.3f}",
            )
            for name, pairs in sorted(results.items())
        ]
        columns = (Message.of("name"), Message.of("games"), Message.of("result"), Message.of("without luck"))
        print_table([*map(text_of, columns)], rows)
