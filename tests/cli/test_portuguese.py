"""The recorder in Portuguese: whole conversations in every game, in which no English text is left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from gamelog_cli.input.typed_members import event_words
from gamelog_cli.printing.language import chosen_language

from gamelog.message import Placeholder, parse_template
from gamelog.play.contract.registry import find, names
from gamelog.play.contract.seats import legal_for
from gamelog.play.contract.translation import translation
from gamelog.play.fold.common_events import COMMON
from gamelog.play.judging.fold_record import fold_record
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.rendering.sentences import ENGINE_MESSAGES
from gamelog.record.envelope import as_proposal
from gamelog.record.reading import read_record
from tests.cli.conftest import SAMPLES, Gamelog
from tests.cli.keystrokes import GAMES
from tests.cli.terminal import Terminal
from tests.english_words import ENGLISH
from tests.templates import templates, texts

PACKAGES = ("gamelog.play", "gamelog.dispute", "gamelog.record", "gamelog.chance", "gamelog_cli")
SAME_EVERYWHERE = {"{=events} ({left})", "{=events}", "{text}> ", "{=player}, {dice}", "{players}: {due}"}
SAME_EVERYWHERE |= {
    "board",
    "who",
    "quit",
    "pause, resume",
    "{moves}",
    "{event}: {due}",
    "{=text}",
    "{problem}.",
    "{@player}, {dice}",
}
"""Templates without words of their own."""

TWO_WORDS = re.compile(r"[A-Za-z]+[ ,:]+[A-Za-z]+")


@cache
def portuguese(game: str) -> str:
    """Return all Portuguese templates and rules that the recorder may print."""
    homes = ["gamelog.play", "gamelog.dispute", "gamelog_cli", f"gamelog.games.{game}"]
    return "\n".join(text for home in homes for text in _translated(home))


def _translated(home: str) -> Iterator[str]:
    found = translation(home, "pt")
    yield from (*found.messages.values(), *found.words.values(), found.rules)


@cache
def english(game: str) -> set[str]:
    """Return the phrases of two and more words in the English templates that the Portuguese ones lack."""
    made = {text for package in (*PACKAGES, f"gamelog.games.{game}") for text in templates(package)}
    made |= {*ENGINE_MESSAGES.values(), *find(game).messages.values()}
    made |= {
        key for package in ("gamelog.play", "gamelog_cli") for key in translation(package, "pt").messages
    }
    pieces = {
        piece.strip() for text in made for piece in parse_template(text) if not isinstance(piece, Placeholder)
    }
    said = {*SAME_EVERYWHERE, *pieces}
    return {one for one in said - SAME_EVERYWHERE if TWO_WORDS.search(one) and one not in portuguese(game)}


def check_portuguese(game: str, out: str, typed: str) -> None:
    """Raise AssertionError if an English phrase, or a common English word, is in the output `out`."""
    flowing = " ".join(out.split())
    assert [phrase for phrase in english(game) if phrase in flowing] == []
    own = set(ENGLISH.findall(portuguese(game))) | set(ENGLISH.findall(typed))
    left = {word for word in ENGLISH.findall(flowing) if word not in own}
    assert left == set(), [line for line in out.splitlines() if left & set(ENGLISH.findall(line))]


def prefix(game: str, path: Path, *, idle: bool = False) -> tuple[EventRecorder, list[str]]:
    """Write the start of a sample game to `path`, up to a free decision; unless `idle`, skip the time since then.

    Return its recorder and two legal events and an illegal one, as people type them.
    """
    sample = SAMPLES / game / f"{GAMES[game]}.jsonl"
    lines, events = sample.read_bytes().splitlines(keepends=True), fold_record(read_record(sample)).events
    for n in range(len(events) // 3, len(events)):
        path.write_bytes(b"".join(lines[: n + 1]))
        recorder = EventRecorder(path)
        fold = recorder.fold
        if fold.pending.chance or len(fold.pending.by) != 1:
            continue
        legal = [
            event
            for event in legal_for(fold.game, fold.state, fold.pending.by[0]).events
            if type(event) not in COMMON
        ]
        player = fold.session.name_of(fold.pending.by[0])
        pair = next(((one, two) for one, two in pairwise(legal) if type(one) is type(two)), None)
        wrong = (event for event in events if type(event) not in COMMON and event.by == fold.pending.by[0])
        illegal = next((one for one in wrong if fold.judge(recorder.stamp(as_proposal(one)))), None)
        if pair and illegal:
            if not idle:
                recorder.append([recorder.idle_pause(), {"do": "@clock", "by": "table", "running": True}])
            return recorder, [f"{player}: {' '.join(event_words(one))}" for one in (*pair, illegal)]
    raise AssertionError(f"{sample} has no free decision")


@pytest.mark.parametrize("game", names())
def test_a_conversation_in_portuguese_has_no_english_text(game: str, gamelog: Gamelog) -> None:
    recorder, (first, second, illegal) = prefix(game, Path("game.jsonl"))
    n, seats = recorder.n - 2, recorder.fold.header.seat_ids
    typed = [
        *("help", "legal", "legal zzz", "board", "rules", "rules zzz", "who", "list 5", "list x"),
        *("why", "odds", "odds zzz", "zzz", "", "{zzz", "fix", "undo x", "zzz: pass", "pause now"),
        *(illegal, "why", f"claim {seats[1]} about {n}: isso", "accept", f"accept {seats[0]} 1", "claim"),
        *(first, "list 3", "undo", first, f"fix {second}", "list", f"undo {n - 2}", "note nota"),
        *("pause", "pause", "resume", f"ruling {n + 1} upheld by Lena: visto", "ruling 1 penalty", "gap {}"),
        *(f"ruling {n} penalty {seats[0]} -2 by Lena: lento", "resign", "result zzz"),
        *(f"substitute {seats[0]} Olga", f"agree {seats[1]} draw", f"decline {seats[0]}", "9 9 9", "quit"),
    ]
    done = gamelog("record", "game.jsonl", "--language", "pt", stdin="\n".join(typed) + "\n")
    assert done.status == 0, done.err
    check_portuguese(game, done.out + done.err, "\n".join(typed))
    for word in ("Recusado", "Anulado: ", "lapso de registo", "reclama", "Escreva", "Para continuar"):
        assert word in done.out, f"{word} is not in the output"
    assert gamelog("record", "game.jsonl", stdin="quit\n").out.count("To continue, run:") == 1


def test_questions_on_a_terminal_take_portuguese_answers(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    recorder, (first, second, illegal) = prefix("slicewars", path, idle=True)
    with Terminal("record", path, GAMELOG_LANGUAGE="pt") as screen:
        screen.sees("Para ajuda, escreva help.", "Esse tempo conta? [s/N]")
        screen.types("não\r")
        screen.sees("O relógio para.", "Pô-lo a andar? [S/n]")
        screen.types("s\r")
        screen.sees("O relógio corre.", ">")
        screen.types(f"{illegal}\r")
        screen.sees("Recusado", ">")
        screen.types(f"{first}\r")
        screen.sees(f"{recorder.n + 3}. ", ">")
        screen.types("undo 1\r")
        screen.sees("Isto anula", "[s/N]")
        screen.types("talvez\r")
        screen.sees('"talvez" não é resposta. Escreva sim ou não.', "[s/N]")
        screen.types("n\r")
        screen.sees("Nada foi anulado.", ">")
        screen.types(f"fix {recorder.n + 3} {second}\r")
        screen.sees("lapso de registo", ">")
        screen.types("quit\r")
        screen.sees("Parar o relógio até continuar? [S/n]")
        screen.types("sim\r")
        screen.sees("Para", "continuar,")
        assert screen.ends() == 0
        check_portuguese(
            "slicewars", screen.text.replace(str(tmp_path), ""), "\n".join((first, second, illegal))
        )


def test_errors_before_the_conversation_are_in_portuguese(
    gamelog: Gamelog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMELOG_LANGUAGE", "pt")
    assert "não existe. Para começar um jogo" in gamelog("record", "none.jsonl").err
    assert "none.jsonl does not exist" in gamelog("record", "none.jsonl", "--language", "en").err


@pytest.mark.parametrize("words", [("--help", "--language", "pt"), ("--language=pt", "-h"), ("--help",)])
def test_help_is_in_portuguese(
    words: tuple[str, ...], gamelog: Gamelog, monkeypatch: pytest.MonkeyPatch
) -> None:
    if len(words) == 1:
        monkeypatch.setenv("GAMELOG_LANGUAGE", "pt")
    done = gamelog("record", *words)
    assert done.status == 0, done.err
    assert done.out.startswith("Utilização: gamelog record [OPÇÕES] FICHEIRO\n\nRegista um jogo à mesa.\n")
    for form in (
        "FICHEIRO",
        "--secret FICHEIRO",
        "--seat JOGADOR",
        "--reveal",
        "--language en|pt",
        "-h, --help",
    ):
        assert f"\n  {form} " in done.out, f"{form} is not in the help"
    check_portuguese("slicewars", done.out, "")
    assert "Usage: gamelog record" in gamelog("record", "--help", "--language", "en").out


COMMANDS = [
    ("validate", "slicewars/illegal-taken"),
    ("validate", "slicewars/ruled"),
    ("validate", "slicewars/torn"),
    ("verify", "slicewars/signed"),
    ("verify", "slicewars/signed-forged"),
    ("verify", "slicewars/reordered"),
    ("incidents", "slicewars/ruled"),
    ("incidents", "slicewars/takeback"),
    ("replay", "slicewars/takeback", "--list"),
    ("replay", "slicewars/illegal-taken", "--at", "26"),
    ("replay", "zone_control/full-4", "--at", "40"),
    ("compare", "slicewars/ended-all", "slicewars/ended-all_full"),
    ("compare", "slicewars/ruled", "slicewars/ruled"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands_print_in_the_language_of_the_environment(
    words: tuple[str, ...], gamelog: Gamelog, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = [str(SAMPLES / f"{word}.jsonl") if "/" in word else word for word in words]
    in_english, data = gamelog(*args), gamelog(*args, "--json")
    monkeypatch.setenv("LC_ALL", "pt_PT.UTF-8")
    done = gamelog(*args)
    assert done.status == in_english.status and done.out != in_english.out
    people = {"That was not allowed Whoever plays has to know the rules It was noticed six events later"}
    people |= {"Tea was spilt on the sheet All of them remember it like this", " ".join(args)}
    check_portuguese(words[1].partition("/")[0], re.sub(r"/\S+", "", done.out + done.err), " ".join(people))
    assert gamelog(*args, "--json").out == data.out, "JSON is the same in every language"
    assert gamelog(*args, "--language", "en").out == in_english.out
    monkeypatch.setenv("GAMELOG_LANGUAGE", "en")
    assert gamelog(*args).out == in_english.out, "the variable of Gamelog has precedence"
    assert gamelog(*args, "--language", "pt").out == done.out


@pytest.mark.parametrize(
    ("value", "language"),
    [
        ("pt", "pt"),
        ("pt_BR.UTF-8", "pt"),
        ("PT-br", "pt"),
        ("C.UTF-8", "en"),
        ("ptx", "en"),
        ("fr_FR", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_read_from_the_environment(value: str, language: str) -> None:
    assert chosen_language(["record", "x"], {"LANG": value}) == language
    assert chosen_language(["record", "x"], {"LC_ALL": value, "LANG": "pt"}) == (language if value else "pt")
    assert chosen_language(["record", "x", f"--language={value}"], {"LANG": "pt"}) == language
    assert chosen_language(["validate", "x", "--json"], {"LANG": "pt"}) == "en"
    assert chosen_language(["validate", "x", "--json", "--language", "pt"], {}) == "pt"


def test_problems_with_secrets_are_in_portuguese(gamelog: Gamelog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMELOG_LANGUAGE", "pt")
    commits: list[str] = []
    for seat in ("red", "blue"):
        words = ("dice", "commit", "--seat", seat, "-o", f"{seat}.secret", "--id", "x", "--json")
        (made,) = gamelog(*words).json
        commits += ["--seat", f"{seat}={seat.title()}", "--commit", f"{seat}={made['commitment']}"]
    dice = ("--dice", "commit-reveal", "--id", "x")
    assert gamelog("new", "slicewars", "game.jsonl", *dice, *commits).status == 0
    Path("wrong.secret").write_text("{")
    said = gamelog("record", "game.jsonl", "--secret", "wrong.secret").err
    assert said == (
        "gamelog: wrong.secret não é um segredo criado por gamelog dice commit: o JSON não é um objeto "
        "completo.\n"
    )
    assert gamelog("dice", "commit", "--seat", "red", "-o", "other.secret", "--id", "y").status == 0
    out = gamelog("record", "game.jsonl", "--secret", "other.secret", stdin="quit\n").out
    assert "other.secret é o segredo de red para o registo y, e não de um lugar deste registo." in out
    bare = Path("game.jsonl").read_bytes()
    assert (
        "Red revela um segredo."
        in gamelog("record", "game.jsonl", "--secret", "red.secret", stdin="quit\n").out
    )
    Path("game.jsonl").write_bytes(bare)
    said = gamelog("record", "game.jsonl", "--secret", "red.secret", stdin="quit\n").err
    assert "já não é o registo em que revelou o evento 1. Não revele mais nada. Para unir o registo" in said


def test_every_text_of_the_conversation_has_a_translation() -> None:
    known = {
        key
        for package in ("gamelog.play", "gamelog.dispute", "gamelog_cli")
        for key in translation(package, "pt").messages
    }
    made = {*templates("gamelog_cli")} - {*templates("gamelog_cli.commands")}
    assert made - known - SAME_EVERYWHERE == set()
    own = texts("gamelog_cli") | translation("gamelog_cli", "en").messages.keys()
    assert translation("gamelog_cli", "pt").messages.keys() - own == set()


def test_rolls_are_named_in_words(gamelog: Gamelog) -> None:
    seats = ("--seat", "red=Ana", "--seat", "blue=Rui")
    assert gamelog("new", "slicewars", "game.jsonl", *seats).status == 0
    assert (
        "lançamento inicial: " in gamelog("record", "game.jsonl", "--language", "pt", stdin="who\nquit\n").out
    )
