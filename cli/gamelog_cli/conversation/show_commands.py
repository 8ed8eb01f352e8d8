"""Commands of the recorder that only show something: the board, legal events, rules, odds, players."""

from __future__ import annotations

from gamelog.message import Message
from gamelog.play.contract.odds import percent_text
from gamelog.play.contract.rulebook import Rule, rulebook
from gamelog.play.recording.recorder import EventRecorder
from gamelog.record.envelope import tag_of
from gamelog_cli.arguments import no_such_rule
from gamelog_cli.conversation import help, screen
from gamelog_cli.errors import Misread
from gamelog_cli.events import listing, reading, typed_commands
from gamelog_cli.events.choices import Choices
from gamelog_cli.input import typed_dice, typed_members
from gamelog_cli.printing.language import current_language, current_renderer, text_of
from gamelog_cli.printing.output import print_line

_WITHOUT_ARGUMENTS = frozenset({"help", "?", "board", "why", "who"})
"""Commands without arguments."""


def run_view_command(
    choices: Choices, word: str, rest: str, refused: str | None, written: EventRecorder | None = None
) -> bool:
    """Carry out the command `word` if it only shows something. Return whether it does.

    Events of the game take precedence over commands of the same name, except over ``help``, ``board`` and
    ``legal``.

    Args:
        choices: The choices at the position.
        word: The first typed word.
        rest: The words after it, or an empty text.
        refused: The id of the rule in the last refusal, or None.
        written: The record to list if `choices` belong to a rehearsal, or None.

    Raises:
        Misread: The arguments of the command cannot be read.
    """
    recorder, view = choices.recorder, choices.recorder.record_view
    own = word in map(tag_of, view.game.events)
    if rest and word in _WITHOUT_ARGUMENTS and not own:
        raise typed_commands.nothing_follows(word, rest)
    match word:
        case "help" | "?":
            help.show(choices)
        case "board":
            screen.show_board(recorder, whole=True)
        case "legal" if choices.timeout:
            print_line(" ".join(typed_members.event_words(choices.timeout)))
        case "legal" if choices.chance:
            print_line(typed_dice.dice_prompt(choices.chance, view.name_of))
        case "legal":
            choices.show(rest)
        case "list" | "log" if not own:
            for line in listing.list_lines(written or recorder, rest):
                print_line(line)
        case "rules" if not own:
            _rules(choices, rest)
        case "why" if not own:
            _why(choices, refused)
        case "odds" if not own:
            _odds(choices, rest)
        case "who" if not own:
            _print_players(choices)
        case _:
            return False
    return True


def _rules(choices: Choices, id: str) -> None:
    """Print the rule `id`, or without it the numbers of all rules.

    Raises:
        Misread: The game has no such rule.
    """
    game = choices.recorder.record_view.game
    book = rulebook(game, current_language())
    if id.upper() in book:
        _print_rule(book[id.upper()])
    elif id:
        raise Misread(no_such_rule(game, book, id))
    else:
        sections: dict[str, list[str]] = {}
        for rule in book.values():
            sections.setdefault(rule.section, []).append(rule.id)
        for section, ids in sections.items():
            print_line(f"{section}: {', '.join(ids)}", "  ")
        text = "To read one rule, type: rules {=id}. To read all rules, run: gamelog rules {=game}"
        print_line(Message.of(text, id=next(iter(book)), game=game.id))


def _why(choices: Choices, refused: str | None) -> None:
    """Print the rule by which the last event was refused, if there is one."""
    rule = rulebook(choices.recorder.record_view.game, current_language()).get(refused or "")
    if rule is None:
        print_line(
            Message.of(
                "No event was refused by a rule of the game. To read a rule, type: rules ID. For an earlier "
                "event, run: gamelog replay FILE --at N"
            )
        )
    else:
        _print_rule(rule)


def _print_rule(rule: Rule) -> None:
    kind = f" ({text_of(Message.of('ruling'))})" if rule.ruling else ""
    print_line(f"{rule.section}. {rule.id}{kind}: {rule.text}", "  ")


def _odds(choices: Choices, words: str) -> None:
    """Print the odds of the contest that is due, or that the event in `words` begins.

    Raises:
        Misread: The odds could reveal hidden information, or there are none.
    """
    from gamelog.dispute.chances import contest_odds

    recorder, view = choices.recorder, choices.recorder.record_view
    if not view.knows_all:
        raise Misread("The odds are not shown, because they could reveal hidden information.")
    state = view.state(view.last_played)
    if words:
        event = recorder.stamp(reading.parse_line(choices, words))
        finding = recorder.judge(event)
        if finding:
            text = "This event has no odds, because it is illegal: {problem}."
            raise Misread(Message.of(text, problem=finding.message))
        state = view.game.apply(state, event)
    odds = contest_odds(view.game, state)
    if odds is None:
        print_line(
            Message.of("No contest of dice is due after this event.")
            if words
            else Message.of("No contest of dice is due. For the odds of a legal event, type: odds EVENT")
        )
        return
    name = view.name_of
    chance = percent_text(odds.odds) + (f" ({odds.exact})" if odds.exact else "")
    if odds.against:
        text = "{=player} wins against {=other} with a probability of {=chance}."
        print_line(Message.of(text, player=name(odds.by), other=name(odds.against), chance=chance))
    else:
        text = "{=player} wins the contest with a probability of {=chance}."
        print_line(Message.of(text, player=name(odds.by), chance=chance))


def _print_players(choices: Choices) -> None:
    """Print the players with their seats and points, and which of them are to move."""
    view = choices.recorder.record_view
    points, pending = view.score_with_final_penalties(view.last_played), view.pending
    due = pending.by or ((pending.chance.by,) if pending.chance else ())
    unit = current_renderer().locale.word(view.game.unit)
    for seat in view.header.seat_ids:
        name = view.name_of(seat)
        counted = f", {unit}: {points[seat]}" if seat in points else ""
        acts = f", {text_of(Message.of('to move'))}" if seat in due else ""
        print_line(f"{name}{'' if name == seat else f' ({seat})'}{counted}{acts}")
