"""What is only looked at in the recorder: the board, what is legal, the rules, the odds, who sits where."""

from __future__ import annotations

from gamelog.play.contract.rulebook import Rule, rulebook
from gamelog.play.recording.recorder import EventRecorder
from gamelog.play.telling.seeing import observed, score_for
from gamelog.record.envelope import tag_of
from gamelog_cli import typed_dice, typed_members
from gamelog_cli.conversation import help, listing, reading, screen, typed_commands
from gamelog_cli.conversation.choices import Choices
from gamelog_cli.output import print_line, print_lines, print_wrapped

_ALONE = frozenset({"help", "?", "board", "why", "who"})
"""Words after which nothing follows."""


def look(
    choices: Choices, word: str, rest: str, refused: str | None, written: EventRecorder | None = None
) -> bool:
    """Show what `word` asks for; whether it asks for anything. `refused` is the id of the rule that the last
    refusal named.

    The game's own words come first, but for help, the board and what is legal. `written` is the record to
    list, if the choices are those of a rehearsal. Raises `Misread`.
    """
    recorder = choices.recorder
    own = word in map(tag_of, recorder.fold.game.events)
    if rest and word in _ALONE and not own:
        raise typed_commands.nothing_follows(word, rest)
    match word:
        case "help" | "?":
            print_lines(help.lines())
        case "board":
            screen.show_board(recorder)
        case "legal" if choices.timeout:
            print_line(" ".join(typed_members.event_words(choices.timeout)))
        case "legal" if choices.chance:
            print_line(typed_dice.dice_prompt(choices.chance, recorder.fold.session.name_of))
        case "legal":
            choices.show(rest)
        case "list" | "log" if not own:
            for told in listing.listing(written or recorder, rest):
                print_wrapped(told)
        case "rules" if not own:
            _rules(choices, rest)
        case "why" if not own:
            _why(choices, refused)
        case "odds" if not own:
            _odds(choices, rest)
        case "who" if not own:
            _who(choices)
        case _:
            return False
    return True


def _rules(choices: Choices, id: str) -> None:
    game = choices.recorder.fold.game
    book = rulebook(game)
    if id.upper() in book:
        _tell(book[id.upper()])
    elif id:
        raise typed_members.Misread(
            f'{game.title} has no rule "{id}"; the ids run from {next(iter(book))} to {list(book)[-1]}'
        )
    else:
        sections: dict[str, list[str]] = {}
        for rule in book.values():
            sections.setdefault(rule.section, []).append(rule.id)
        for section, ids in sections.items():
            print_wrapped(f"{section}: {', '.join(ids)}", "  ")
        print_wrapped(f"rules {next(iter(book))} shows one of them; gamelog rules {game.id} prints them all.")


def _why(choices: Choices, refused: str | None) -> None:
    rule = rulebook(choices.recorder.fold.game).get(refused or "")
    if rule is None:
        print_wrapped(
            "Nothing was refused by a rule of the game. rules ID shows a rule; gamelog replay FILE --at N "
            "tells of an event."
        )
    else:
        _tell(rule)


def _tell(rule: Rule) -> None:
    print_wrapped(f"{rule.section}. {rule.id}{' (ruling)' if rule.ruling else ''}: {rule.text}", "  ")


def _odds(choices: Choices, words: str) -> None:
    """The odds of the contest that is due, or of the one that the event in `words` begins."""
    from gamelog.dispute.chances import contest_odds

    recorder = choices.recorder
    fold, state = recorder.fold, recorder.fold.state
    if observed(fold.game, state, recorder.view) != state:
        raise typed_members.Misread("The odds may tell what is hidden here")
    if words:
        event = recorder.stamp(reading.event(choices, words))
        refused = fold.judge(event)
        if refused:
            raise typed_members.Misread(f"{refused.message}, so it has no odds")
        state = fold.game.apply(state, event)
    odds = contest_odds(fold.game, state)
    if odds is None:
        print_wrapped(
            "No contest of dice is due"
            + (" after that." if words else ". odds EVENT tells those of what may be played.")
        )
        return
    name = fold.session.name_of
    against = name(odds.against) if odds.against else "nobody's land"
    print_wrapped(
        f"{name(odds.by)} beats {against} with "
        f"{odds.odds:.4%}{f', exactly {odds.exact}' if odds.exact else ''}."
    )


def _who(choices: Choices) -> None:
    """Who sits where, with how many points, and whose decision is waited for."""
    fold = choices.recorder.fold
    seen = observed(fold.game, fold.state, choices.recorder.view)
    points, pending = score_for(fold.game, fold.state, fold.score(fold.n), seen), fold.pending
    due = pending.by or ((pending.chance.by,) if pending.chance else ())
    for seat in fold.header.seat_ids:
        name = fold.session.name_of(seat)
        counted = f", {fold.game.unit}: {points[seat]}" if seat in points else ""
        print_line(
            f"{name}{'' if name == seat else f' ({seat})'}{counted}{', to act' if seat in due else ''}"
        )
