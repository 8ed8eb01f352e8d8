"""`gamelog study`: variants of a game compared in paired games between bots."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from msgspec import to_builtins

from gamelog.errors import GamelogError, PlayError
from gamelog.message import Message
from gamelog.play.contract.registry import find
from gamelog.play.playing.named_bots import needs_fit
from gamelog_cli import completion
from gamelog_cli.arguments import Jobs, Json, RecordMemory, RecordSeconds, limits, parse_board, parse_options
from gamelog_cli.errors import Misread
from gamelog_cli.exits import USAGE, usage
from gamelog_cli.printing.output import (
    FITTING_TEXT,
    emit,
    print_first_warnings,
    print_line,
    print_table,
    progress_bar,
    save,
    with_progress,
)

if TYPE_CHECKING:
    from gamelog_reports.study_page.words import StudyWords

    from gamelog.archive import EqualLimits
    from gamelog.study.asking import StudyAnswer
    from gamelog.study.definition import Study

_GAMES, _MOST_GAMES = 400, 10_000
"""Number of games of each variant, and the largest number if the study ends by itself."""

_FIRST_BLOCKS, _GROWTH = 30, 1.5
"""Number of blocks before the first look, for each step of the ladder, and the growth until the next look."""


def study(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            help="Id of a game, or several versions of its rules (ID@RULES). Or the folder of a study, to "
            "read its results again. With --records, archives or folders of records.",
            autocompletion=completion.complete_games,
            show_default=False,
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FOLDER", help="Output folder of the study.", show_default=False),
    ] = None,
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary",
            metavar="NAME=A,B",
            help="Compare these values of an option, of board, or of bot (the bot at all seats). If you "
            "repeat this option, all combinations are compared with the first one.",
            show_default=False,
        ),
    ] = [],
    bot: Annotated[
        list[str],
        typer.Option(
            "--bot",
            metavar="BOT",
            help="Name of a bot, or search:N for a bot that searches N positions for each decision. Repeat "
            "this option, the weakest bot first: the last bot plays the equal games, and each bot plays "
            "against the one before. By default, random and greedy.",
            autocompletion=completion.complete_bots,
            show_default=False,
        ),
    ] = [],
    seats: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Number of players. By default, the smallest number that the game allows."
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            metavar="N",
            help=f"Number of equal games of each variant: {_GAMES}, or at most {_MOST_GAMES:,} with "
            "--until-sure or --precision.",
            show_default=False,
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=0.5,
            metavar="PART",
            help="Play until the main shares and their differences are known within ± this part, for example "
            "0.02.",
            show_default=False,
        ),
    ] = None,
    until_sure: Annotated[
        bool,
        typer.Option(
            "--until-sure",
            help="Play until each main difference is found or is shown to be below 5 points or 5 %. A "
            "sequential test keeps the error below 5 %, however often you look.",
        ),
    ] = False,
    records: Annotated[
        bool,
        typer.Option("--records", help="Compare recorded games instead: each GAME is a sample of records."),
    ] = False,
    seed: Annotated[
        str, typer.Option(metavar="TEXT", help="Seed of the study. The same seed gives the same games.")
    ] = "1",
    language: Annotated[
        Literal["en", "pt"], typer.Option(help="Language of the page and the output.")
    ] = "en",
    jobs: Jobs = None,
    record_seconds: RecordSeconds = 60,
    record_memory: RecordMemory = "4GB",
    json: Json = False,
) -> None:
    """Compare variants of a game in paired games between bots: fairer, shorter, more dramatic, more skilful?

    All variants have the same dice and draws by their order, the same line-ups and the same chance of the
    bots. So far fewer games are needed than with independent games. Each difference has an interval and a
    probability that is corrected for the number of differences.

    The folder gets the records, their archive, and the page study.html. If you run the command again, it
    plays only the games that are missing. With more games, the study goes on.
    """
    from gamelog_reports.study_page.page import study_page
    from gamelog_reports.study_page.words import StudyWords

    from gamelog.archive import EqualLimits
    from gamelog.study.definition import DEFINITION, PAGE, new_study, read_study, save_study
    from gamelog.study.playing import check_variants

    given = limits(record_seconds, record_memory)
    allowed = EqualLimits(given.timeout, given.memory)
    failed: list[str] = []
    ending: Message | None = None
    if records:
        if out is None:
            usage("Name the folder for the page with -o FOLDER.")
        from gamelog.study.recorded import ask_records

        with progress_bar("indexing") as progress:
            answer = ask_records(games, out, allowed, jobs, progress)
    elif len(games) == 1 and (Path(games[0]) / DEFINITION).is_file():
        out = Path(games[0])
        planned = read_study(out)
        answer = _ask(planned, out, allowed, jobs)
    else:
        if out is None:
            usage("Name the folder of the study with -o FOLDER.")
        if until_sure and precision is not None:
            usage("Choose one of --until-sure and --precision.")
        planned = new_study(
            tuple(map(find, games)),
            _variations(vary),
            players=seats,
            bots=tuple(bot),
            seed=seed,
            sequential=until_sure,
        )
        if until_sure and len(planned.variants) == 1:
            usage("--until-sure compares variants. Add --vary NAME=A,B, or versions of the rules.")
        check_variants(planned)
        planned = save_study(planned, out)
        if not json:
            _print_needed_games(precision)
        answer, failed, ending = _play(planned, out, allowed, jobs, number, precision)
    words = StudyWords(answer, language)
    save(out / PAGE, study_page(answer, language))
    if json:
        answers = {topic.slug: topic.answers for topic in words.topics() if topic.question}
        emit({**to_builtins(answer), "answers": answers})
    else:
        _print_answer(answer, words)
        if ending:
            print_line(ending)
        print_line(out / PAGE)
    print_first_warnings([*dict.fromkeys(failed)])
    if failed:
        raise typer.Exit(USAGE)


def _variations(vary: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """Return all combinations of the values in ``NAME=A,B`` arguments, each with its name.

    Raises:
        Misread: An argument has another form.
    """
    choices: list[list[tuple[str, str, str]]] = []
    for text in vary:
        name, equals, listed = text.partition("=")
        values = [value.strip() for value in listed.split(",")]
        if not (name and equals and all(values)):
            raise Misread(f'"{text}" is not of the form NAME=A,B, for example max_rounds=6,8.')
        choices.append([(name, value, f"{name}={value}") for value in values])
    variations = []
    for chosen in product(*choices):
        given: dict[str, Any] = {
            "options": parse_options([text for name, _, text in chosen if name not in ("board", "bot")])
        }
        for name, value, _ in chosen:
            if name in ("board", "bot"):
                given[name] = parse_board(value) if name == "board" else value
        variations.append((", ".join(text for _, _, text in chosen), given))
    return variations


def _print_needed_games(precision: float | None) -> None:
    """Print how many games differences of some sizes need."""
    from gamelog.statistics import units_needed

    sizes = (precision,) if precision else (0.1, 0.05, 0.02)
    needed = [
        f"{100 * size:g} percentage points {units_needed(0.5**0.5, size):,} games" for size in sizes if size
    ]
    print_line(
        "To find a difference between two shares near 50 % with a probability of 80 %, independent games "
        f"need, of each variant: for {', '.join(needed)}. Paired games need fewer."
    )


def _play(
    study: Study,
    folder: Path,
    allowed: EqualLimits,
    jobs: int | None,
    number: int | None,
    precision: float | None,
) -> tuple[StudyAnswer, list[str], Message | None]:
    """Play the missing games of the study.

    Returns:
        The answer of the study, the errors of games, and why a study that may end by itself has ended.
    """
    from gamelog.study.playing import lost_game, missing_games, play_games
    from gamelog.study.results import is_precise, is_sure

    ends_by_itself = study.sequential or precision is not None
    last = -(-(number or (_MOST_GAMES if ends_by_itself else _GAMES)) // study.players)
    blocks = min(last, _FIRST_BLOCKS * max(1, len(study.steps))) if ends_by_itself else last
    game = study.rules_of(study.variants[0])
    failed: list[str] = []
    fits = needs_fit((*study.bots, *(variant.bot for variant in study.variants)))
    while True:
        due = missing_games(study, folder, range(blocks))
        played = play_games(
            study,
            folder,
            due,
            allowed,
            lambda item, error: lost_game(
                Path(item.path).stem, game, allowed, error, "To allow more time, add --record-seconds"
            ),
            jobs,
        )
        for error in with_progress(FITTING_TEXT if fits else "playing", played, len(due), is_slow=fits):
            if isinstance(error, GamelogError):
                if not isinstance(error, PlayError):
                    raise error
                failed.append(str(error))
        answer = _ask(study, folder, allowed, jobs)
        is_enough = (study.sequential and is_sure(answer.results, study.variants[0].name)) or (
            precision is not None and is_precise(answer.results, precision)
        )
        if blocks >= last or is_enough or failed:
            return answer, failed, _ending(study, is_enough=is_enough) if ends_by_itself else None
        blocks = min(last, int(blocks * _GROWTH))


def _ending(study: Study, *, is_enough: bool) -> Message:
    """Return the sentence that says why a study that may end by itself has ended."""
    if study.sequential and is_enough:
        return Message.of(
            "The study has ended because each main difference is found or is shown to be small."
        )
    if study.sequential:
        return Message.of(
            "The study has ended by its number of games. Some main differences are neither found nor shown "
            "to be small. To go on, run the command again with more --games."
        )
    if is_enough:
        return Message.of("The study has ended because the main shares are known as precisely as asked.")
    return Message.of(
        "The study has ended by its number of games. The main shares are not known as precisely as asked. To "
        "go on, run the command again with more --games."
    )


def _ask(study: Study, folder: Path, allowed: EqualLimits, jobs: int | None) -> StudyAnswer:
    """Return the answer of the study in `folder`."""
    from gamelog.study.asking import ask_study

    with progress_bar("indexing") as progress:
        return ask_study(study, folder, allowed, jobs, progress)


def _print_answer(answer: StudyAnswer, words: StudyWords) -> None:
    """Print the measures as a table, and the answers in sentences."""
    for sentence in words.games_sentences():
        print_line(sentence)
    texts, others = words.texts, answer.variants[1:]
    for topic in words.topics():
        print_line()
        columns = [topic.title, *answer.variants]
        for name in others:
            columns += [texts["study_difference"] if len(others) == 1 else name, texts["study_chance"]]
        rows = []
        for line in topic.lines:
            row = [line.name, *line.values]
            for difference, probability in zip(line.differences, line.probabilities, strict=True):
                row += [difference, probability]
            rows.append(row)
        print_table(columns, rows, data=False)
    for topic in words.topics():
        for one in topic.answers:
            print_line()
            label = f" {one.variant}:" if len(others) > 1 else ""
            print_line(f"{topic.question}{label} {one.word}")
            print_line(f"  {one.sentence}")
    notes = [
        words.correction_sentence(),
        words.gain_sentence(),
        words.luck_sentence(),
        *words.unseen_sentences(),
    ]
    print_line()
    for note in filter(None, notes):
        print_line(note)
