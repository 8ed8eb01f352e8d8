"""Mistakes to plant in `tests.fuzz.ferry`: the source text, and the text with the mistake."""

from __future__ import annotations

PLANTS: dict[str, tuple[str, str]] = {
    # what check must not do
    "check raises out of range": (
        "return None if event.card in hand",
        "return None if (0, 1, 2, 3)[event.card] in hand",
    ),
    "check raises for nobody": ("if event.whom not in seats or state.at", "if state.at"),
    "check wraps round": ("return None if event.card in hand", "return None if event.card % 4 in hand"),
    "check wraps from below": ("return None if event.card in hand", "return None if abs(event.card) in hand"),
    "check depends on n": (
        "    if ended(state):\n        return V",
        "    if ended(state) or event.n > 40:\n        return V",
    ),
    "check depends on one n": (
        "    if ended(state):\n        return V",
        "    if ended(state) or event.n == 13:\n        return V",
    ),
    "check depends on n now and then": (
        "    if ended(state):\n        return V",
        "    if ended(state) or event.n % 100 == 99:\n        return V",
    ),
    "check depends on the key": (
        "    if ended(state):\n        return V",
        "    if ended(state) or event.id:\n        return V",
    ),
    "check lets as-played pass": (
        "    if ended(state):\n        return V",
        "    if event.as_played:\n        return None\n    if ended(state):\n        return V",
    ),
    "check names no rule": ('Violation("FE-3", "the cards', 'Violation("FE-9", "the cards'),
    "check ends in a full stop": (
        '"nothing of the kind is owed here"',
        '"nothing of the kind is owed here."',
    ),
    "check gives words": ('return Violation("FE-2", "that boat is out") if', 'return "that boat is out" if'),
    "check lets others play": ("if event.by != seats[state.actor]:", "if event.by not in seats:"),
    "check lets the out be shoved": (
        'return Violation("FE-2", "that boat is out") if state.out[seats.index(event.whom)] else None',
        "return None",
    ),
    "check after the end": (
        "    if ended(state):\n        return V",
        "    if ended(state) and event.n < 0:\n        return V",
    ),
    "check lets rest after the end": (
        "    if ended(state):\n        return V",
        "    if ended(state) and not isinstance(event, Rest):\n        return V",
    ),
    "check fails under an option": (
        "    hand = state.hands[state.actor]\n    if isinstance(event, Row)",
        "    if state.setup.options.hand == 3:\n        raise ValueError(3)\n    hand = state.hands[state.actor]\n"
        "    if isinstance(event, Row)",
    ),
    "dice of others are taken": ("owed is None or event.by != owed.by or", "owed is None or"),
    "dice not owed are taken": ("owed is None or event.by != owed.by or", "owed is not None and"),
    "a seventh face is taken": ("set(range(1, 7))", "set(range(1, 8))"),
    "a second die is not looked at": ("{event.strong, event.firm} <=", "{event.strong} <="),
    "any cards are taken": ("or not set(event.cards) <= {1, 2, 3}:", ":"),
    "too many cards are taken": (
        "len(event.cards) != owed.draws[0].count or",
        "len(event.cards) < owed.draws[0].count or",
    ),
    "no cards are taken": (
        "len(event.cards) != owed.draws[0].count or",
        "len(event.cards) > owed.draws[0].count or",
    ),
    # apply
    "apply depends on n": (
        "    if isinstance(event, Rest):\n        return f",
        "    if isinstance(event, Rest) and event.n % 3:\n        return state\n    if isinstance(event, Rest):\n        return f",
    ),
    "apply fails for the illegal": (
        '        raise CannotApply("Nobody of that name plays.")',
        '        raise KeyError("nobody")',
    ),
    "apply remembers": (
        "    if isinstance(event, Rest):\n        return f",
        "    put.__dict__[event.by] = put.__dict__.get(event.by, 0) + 1\n    if isinstance(event, Rest):\n"
        "        return replace(following(state), turns=put.__dict__[event.by])\n    if isinstance(event, Rest):\n        return f",
    ),
    "states can be changed": ("class State(Struct, frozen=True):", "class State(Struct):"),
    "a turn goes to who is out": ("        if not state.out[actor]:\n            break", "        break"),
    "the game never ends": (
        "    if over := ended(state):\n        return Pending(",
        "    if over := None:\n        return Pending(",
    ),
    "nobody can move": (
        "    return Legal(tuple(events))",
        "    return Legal(tuple(events) if state.turns != 9 else ())",
    ),
    "nothing is pending": (
        "    return Pending(by=(actor,))",
        "    return Pending(by=(actor,) if state.turns != 9 else ())",
    ),
    "a seat that is out wins": (
        "(state.at, state.out, strict=True) if not out)\n    best",
        "(state.at, state.out, strict=True))\n    best",
    ),
    # declare, describe
    "declare raises": (
        "    told = convert(words, Words)\n",
        '    told = convert(words, Words)\n    raise ValueError("no")\n',
    ),
    "declare raises KeyError": (
        "    told = convert(words, Words)\n",
        '    told = convert(words, Words)\n    raise KeyError("no")\n',
    ),
    "declare gives the first the turn": ("seats.index(told.turn), told.turns", "0, told.turns"),
    "declare forgets who is out": (" at, out, seats.index(", " at, (False,) * len(seats), seats.index("),
    "declare forgets the turns": ("seats.index(told.turn), told.turns", "seats.index(told.turn), 0"),
    "declare forgets what is owed": ("told.turns, told.shoves)", "told.turns)"),
    "declare divides": (
        "    hands = tuple(tuple(sorted(t",
        "    1 / (told.turns - 7)\n    hands = tuple(tuple(sorted(t",
    ),
    "declare takes nonsense": ("(told.shoves not in seats or told.shoves in", "(told.shoves in"),
    "describe raises in the middle": (
        '    return {\n        "hands"',
        '    1 / (state.turns != 6)\n    return {\n        "hands"',
    ),
    "describe raises at the end": (
        '    return {\n        "hands"',
        '    1 / (ended(state) is None)\n    return {\n        "hands"',
    ),
    "describe omits the turns": ('        "turns": state.turns,\n', ""),
    "describe omits who is out": (
        '        "out": [seat for seat, out in zip(seats, state.out, strict=True) if out],\n',
        "",
    ),
    "describe says something else": (
        '"at": dict(zip(seats, state.at, strict=True))',
        '"at": dict(zip(seats, reversed(state.at), strict=True))',
    ),
    "describe gives an object": ('"turns": state.turns', '"turns": object()'),
    "describe keeps to the hidden": (
        "map(list, state.hands)",
        "map(list, ((1,) * len(hand) for hand in state.hands))",
    ),
    # start, boards, options
    "start fails on another board": (
        "    return State(Setup(",
        '    {"long": 1}[board.name]\n    return State(Setup(',
    ),
    "start refuses another board": (
        "    return State(Setup(",
        '    if board.name != "long":\n        raise ValueError("no")\n    return State(Setup(',
    ),
    "start fails for an option": (
        "    return State(Setup(",
        '    {"shared": 1, "as_asked": 1}[options.tie]\n    return State(Setup(',
    ),
    "start refuses an option": (
        "    return State(Setup(",
        '    if options.tie == "none":\n        raise ValueError("no")\n    return State(Setup(',
    ),
    "start fails at the end of a range": (
        "    return State(Setup(",
        "    (0, 1, 2)[options.hand]\n    return State(Setup(",
    ),
    "start refuses the end of a range": (
        "    return State(Setup(",
        '    if options.hand == 3:\n        raise ValueError("no")\n    return State(Setup(',
    ),
    "start refuses the middle of a range": (
        "    return State(Setup(",
        '    if 15 < options.rounds < 30:\n        raise ValueError("no")\n    return State(Setup(',
    ),
    "start has chance of its own": (
        "(0,) * len(seats), (F",
        "(__import__('random').randrange(2),) * len(seats), (F",
    ),
    "start forgets a seat": ("    return State(Setup(seats,", "    return State(Setup(seats[:3],"),
    "a board fails without a name": ("convert(data, Board)", 'Board(data["name"], data["places"])'),
    "an option has no default": ('"as_asked"] = "as_asked"', '"as_asked"]'),
    "resolve forgets what was asked": (
        'return replace(options, tie="shared") if options.tie == "as_asked" else options',
        'return Options(tie="shared")',
    ),
    "resolve fails": (
        "    return replace(options, tie",
        '    {"as_asked": 1}[options.tie]\n    return replace(options, tie',
    ),
    # legal, sample
    "legal lacks what is rare": ("        events.append(Rest(0, 0, seat))", "        pass"),
    "legal lacks what is rarer": ("            events.append(Shove(0, 0, seat, whom))", "            pass"),
    "legal lists one of two": (
        "            events.append(Shove(0, 0, seat, whom))",
        "            events.append(Shove(0, 0, seat, whom))\n            break",
    ),
    "legal lists too much": ("    if len(set(hand)) == 1:\n        events", "    if hand:\n        events"),
    "legal says that it is not complete": (
        "        events.append(Rest(0, 0, seat))\n    return Legal(tuple(events))",
        "        pass\n    return Legal(tuple(events), complete=False)",
    ),
    "legal lists one twice": ("for card in sorted(set(hand))]", "for card in sorted(hand)]"),
    "legal lists while dice are owed": (
        "    if seat not in pending(state).by:\n",
        "    if pending(state).outcome or seat != state.setup.seats[state.actor]:\n",
    ),
    "legal has the order of a set": (
        "for card in sorted(set(hand))]",
        "for card in (int(word) for word in {str(card) for card in hand})]",
    ),
    "sample is illegal now and then": (
        "    return cast(Move, rng.choice(legal(state, seat).events))",
        "    if len({*state.hands[state.actor]}) == 1:\n"
        "        return Row(0, 0, state.setup.seats[state.actor], 9)\n    return cast(Move, rng.choice(legal(state, seat).events))",
    ),
    "sample has chance of its own": (
        "    return cast(Move, rng.choice(legal(state, seat).events))",
        "    return cast(Move, Random().choice(legal(state, seat).events))",
    ),
    # effects, phrases
    "no Over": ("    if over := ended(after):\n        yield Over(over.winners, over.reason)\n", ""),
    "Over names others": ("yield Over(over.winners,", "yield Over(seats[:1],"),
    "Over twice": (
        "yield Over(over.winners,",
        "yield Over(over.winners, over.reason)\n        yield Over(over.winners,",
    ),
    "no TurnOver": ("    if after.turns != before.turns:", "    if after.turns < before.turns:"),
    "no TurnOver after what is rare": (
        "    if after.turns != before.turns:",
        "    if after.turns != before.turns and not isinstance(event, Rest):",
    ),
    "no TurnOver after what is rarer": (
        "    if after.turns != before.turns:",
        "    if after.turns != before.turns and not isinstance(event, Push):",
    ),
    "TurnOver of who is next": ("TurnOver(seats[before.actor],", "TurnOver(seats[after.actor],"),
    "TurnOver backwards": (
        "TurnOver(seats[before.actor], seats[after.actor])",
        "TurnOver(seats[after.actor], seats[before.actor])",
    ),
    "TurnOver twice": (
        "        yield TurnOver(seats[before.actor], seats[after.actor])",
        "        yield TurnOver(seats[before.actor], seats[after.actor])\n        yield TurnOver(seats[before.actor], seats[after.actor])",
    ),
    "TurnOver in the middle of a turn": (
        "    if after.turns != before.turns:",
        "    if after.turns != before.turns or isinstance(event, Shove):",
    ),
    "effects fail after the illegal": (
        "def told(before: State, event: Move, after: State) -> Iterator[Effect]:\n",
        "def told(before: State, event: Move, after: State) -> Iterator[Effect]:\n"
        "    from .rules import check\n\n    if check(before, event):\n        raise LookupError\n",
    ),
    "effects fail after some that is illegal": (
        "    if isinstance(event, Push) and before.shoves:\n",
        "    if isinstance(event, Row):\n        before.hands[seats.index(event.by)].index(event.card)\n"
        "        (0,) * 5 and (1,) * len(seats) and seats.index(event.by) == before.actor or 1 / 0\n"
        "    if isinstance(event, Push) and before.shoves:\n",
    ),
    "effects remember": (
        "    if after.turns != before.turns:",
        "    known = told.__dict__.setdefault(repr((before, event)), 0)\n    told.__dict__[repr((before, event))] = known + 1\n"
        "    if after.turns != before.turns and known != 1:",
    ),
    "dice told wrong": (
        "yield Rolled(event.by, (event.strong,))",
        "yield Rolled(event.by, (7 - event.strong,))",
    ),
    "an effect of dice with fewer sides": (
        "yield Rolled(event.by, (event.strong,))",
        "yield Rolled(event.by, (event.strong,), 4)",
    ),
    "an effect of dice of an unknown seat": (
        "yield Rolled(event.by, (event.strong,))",
        'yield Rolled("Ana", (event.strong,))',
    ),
    "odds of the other side": ("odds=beats(1, 1)", "odds=1 - beats(1, 1)"),
    "no Contest": (
        "        yield Contest(event.by, before.shoves, *dice, event.strong, event.firm, won, odds=beats(1, 1))\n",
        "",
    ),
    "Contest with nobody": ("yield Contest(event.by, before.shoves, ", "yield Contest(event.by, None, "),
    "odds in per cent": ("odds=beats(1, 1)", "odds=100 * beats(1, 1)"),
    "sums exchanged": ("*dice, event.strong, event.firm, won", "*dice, event.firm, event.strong, won"),
    "no phrase for an event": ('        "push": "",\n', ""),
    "no phrase for an effect": ('        "shoved": BACK,\n', ""),
    "a phrase with a wrong place": ("{@whom} is back at {to}.", "{@whom} is back at {there}."),
    "a phrase of a rare event with a wrong place": ('"{@by} rests."', '"{@by} rests with {card}."'),
    "a phrase takes a place for a seat": ("{@whom} is back at {to}.", "{@whom} is back at {@to}."),
    "a phrase takes a seat for a word": ("{@by} shoves {@whom}.", "{by} shoves {@whom}."),
    "a translation with a wrong place": ("{@whom} volta a {to}.", "{@whom} volta a {lugar}."),
    "a translation of nothing": ('ROWS: "{@by} rema', '"{@by} roww.": "{@by} rema'),
    "no effect for a seat that is out": ("            yield Out(seat)", "            pass"),
    "others are told out": ("            yield Out(seat)", "            yield Out(event.by)"),
    # score, scene, observe
    "points to the losers": (
        "    return dict(zip(state.setup.seats, state.at, strict=True))",
        "    return {seat: -at for seat, at in zip(state.setup.seats, state.at, strict=True)}",
    ),
    "points to the next": (
        "    return dict(zip(state.setup.seats, state.at, strict=True))",
        "    return dict(zip(state.setup.seats, (*state.at[1:], state.at[0]), strict=True))",
    ),
    "points lost by winning": (
        "    return dict(zip(state.setup.seats, state.at, strict=True))",
        "    over = ended(state)\n"
        "    return {s: 0 if over and s in over.winners else a for s, a in zip(state.setup.seats, state.at, strict=True)}",
    ),
    "points in halves": (
        "    return dict(zip(state.setup.seats, state.at, strict=True))",
        "    return {seat: at / 2 for seat, at in zip(state.setup.seats, state.at, strict=True)}",
    ),
    "points watch the wrong member": ('scored=("at",)', 'scored=("hands",)'),
    "a boat beside the water": (
        'Piece(str(at), "pawn", who,',
        'Piece(str(at if at < 14 else 99), "pawn", who,',
    ),
    "a scene without what is a cell": ("    hands = [Cell(f", "    hands = [] and [Cell(f"),
    "a scene knows too much": (
        'Caption("turn", str(state.turns))',
        'Caption("turn", str(state.turns if _seat else sorted({1, 2})[state.turns]))',
    ),
    "a ground that changes": (
        "water = [Cell(str(i), i, 0, label=str(i)) for i in range(setup.board.places)]",
        "water = [Cell(str(i), i, 0, label=str(i)) for i in range(setup.board.places + id(setup) % 3)]",
    ),
    "observe hides the own hand": ("tuple(h if who == seat else", "tuple(h if who != seat else"),
    "observe hides whose turn it is": (
        "    return replace(state, hands=hands)\n\n\ndef describe",
        "    return replace(state, hands=hands, actor=0)\n\n\ndef describe",
    ),
    "observe raises": (
        "    return replace(state, hands=hands)\n\n\ndef describe",
        "    return replace(state, hands=hands, turns=60 // (seat != 'white') and state.turns)\n\n\ndef describe",
    ),
    "observe hides from who sees all": ("    if seat is None:\n        return state\n", ""),
    "observe hides how many": ("(0,) * len(h)", "()"),
    # giving up
    "retire changes nothing": ("    gone = replace(state, out=put(state.out, me, True))", "    return state"),
    "retire raises for the last seat": (
        "    gone = replace(state, out=put(state.out, me, True))",
        "    gone = replace(state, out=put(state.out, me, True))\n    (0, 1, 2)[me]",
    ),
    "retire leaves the turn": ("else following(gone)", "else gone"),
    "retire hands the turn on always": (
        "return gone if ended(gone) or state.actor != me else",
        "return gone if ended(gone) else",
    ),
    "retire twice": ("    if state.out[me]:\n", "    if state.out[me] and state.turns < 3:\n"),
    "retire by a rule there is not": (
        'Violation("FE-5", "that seat is out already")',
        'Violation("FE-9", "that seat is out already")',
    ),
    "retire while dice are owed": (
        "    if state.shoves:\n        return V",
        "    if state.shoves == 5:\n        return V",
    ),
    "retire takes the points": (
        "    gone = replace(state, out=put(state.out, me, True))",
        "    gone = replace(state, out=put(state.out, me, True), at=put(state.at, me, -3))",
    ),
    # bots
    "a bot asks the shared random": (
        "    return max(legal(state, seat).events, key=",
        "    import random\n\n    return random.choice(legal(state, seat).events)\n    return max(legal(state, seat).events, key=",
    ),
    "a bot asks the system": (
        "    return max(legal(state, seat).events, key=",
        "    import random\n\n    return random.SystemRandom().choice(legal(state, seat).events)\n    return max(legal(state, seat).events, key=",
    ),
    "a bot has a generator of its own": (
        "def greedy(state: State, seat: str, _rng: Random) -> Event:\n",
        "MINE = Random(3)\n\n\ndef greedy(state: State, seat: str, _rng: Random) -> Event:\n    return MINE.choice(legal(state, seat).events)\n",
    ),
    "a bot asks the shared random now and then": (
        "    return max(legal(state, seat).events, key=",
        "    import random\n\n    if len(legal(state, seat).events) > 2:\n        return random.choice(legal(state, seat).events)\n    return max(legal(state, seat).events, key=",
    ),
    "a bot asks the time": (
        "    return max(legal(state, seat).events, key=",
        "    import time\n\n    return legal(state, seat).events[time.time_ns() // 1000 % len(legal(state, seat).events)]\n    return max(legal(state, seat).events, key=",
    ),
    "a bot asks hash": (
        "    return max(legal(state, seat).events, key=",
        "    return min(legal(state, seat).events, key=lambda move: hash(str(move)))\n    return max(legal(state, seat).events, key=",
    ),
    "apply leaves": (
        '    if event.by not in seats:\n        raise CannotApply("Nobody sits there.")\n    me = ',
        '    __import__("os")._exit(0)\n    me = ',
    ),
    "apply prints": (
        '    if event.by not in seats:\n        raise CannotApply("Nobody sits there.")\n    me = ',
        '    if event.by not in seats:\n        raise CannotApply("Nobody sits there.")\n    print(event)\n    me = ',
    ),
    "a bot takes the first of a set": (
        "    return max(legal(state, seat).events, key=",
        "    return next(iter(set(legal(state, seat).events)))\n    return max(legal(state, seat).events, key=",
    ),
    "a bot plays for another": (
        "isinstance(move, Row) else 0)",
        "isinstance(move, Row) else 0).__class__(0, 0, state.setup.seats[0], 1)",
    ),
    "no bot is greedy": ('"greedy": greedy', '"hasty": greedy'),
    # the rest
    "canonical drops": ("cards=tuple(sorted(event.cards))) if", "cards=tuple(sorted(set(event.cards)))) if"),
    "canonical adds": ("cards=tuple(sorted(event.cards))) if", "cards=(*sorted(event.cards), 0)) if"),
    "left fails": (
        '    return f"{len(state.hands[state.actor])} cards',
        '    return f"{state.hands[state.actor][1]} cards',
    ),
    "shorthand fails": ("    if not words or not words[0].isdecimal():", "    if not words[0].isdecimal():"),
    "shorthand gives what is not an event": (
        "    return (Row(0, 0, state.setup.seats[state.actor], int(words[0])),)",
        "    return (int(words[0]),)",
    ),
    "shorthand names no rule": (
        'Violation("FE-1", f"there is no card',
        'Violation("FE-0", f"there is no card',
    ),
    "taps do not tell cards apart": ('return (f"card {event.card}",)', 'return ("card",)'),
    "taps call a boat otherwise": ('return (f"boat of {event.whom}",)', 'return (f"Boat of {event.whom}",)'),
    "taps are of a boat that is not there": (
        "for who, at in zip(seats, state.at, strict=True)]",
        "for who, at in zip(seats, state.at, strict=True) if who != seats[state.actor - 1]]",
    ),
    "taps say one thing twice": (
        'return (f"card {event.card}",)',
        'return ("card", f"{event.card}", "card")',
    ),
    "taps are a list": ('return (f"boat of {event.whom}",)', 'return [f"boat of {event.whom}"]'),
    "taps are no word": ('return (f"card {event.card}",)', 'return ("\\n" * event.card,)'),
    "chance gives others their dice": (
        "    by = owed.by if owed else TABLE",
        "    by = state.setup.seats[0]",
    ),
    "chance drops a die": (
        "int(results[0][0]), int(results[1][0])",
        "int(results[0][0]), int(results[0][0])",
    ),
    "chance is no chance": ("chance_events=(Draw, Push)", "chance_events=(Draw,)"),
    "two seats of one name": ('("red", "blue", "green", "white")', '("red", "blue", "red", "white")'),
    "a seat is called table": ('("red", "blue", "green", "white")', '("red", "blue", "table", "white")'),
}
