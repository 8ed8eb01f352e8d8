"""Territory (GP02A): a game in which gods share out a new world, chip by chip."""

from __future__ import annotations

from functools import partial

from gamelog.game import Game, translation
from gamelog.games.gp02a_territory import (
    board,
    bots,
    choices,
    declare,
    due,
    effects,
    events,
    features,
    reducer,
    rules,
    scene,
    scoring,
    state,
    strong,
)
from gamelog.games.kit import phases
from gamelog.games.kit.data import board_file, rules_of
from gamelog.games.kit.order import canonical_order

GAME: Game[state.State, events.Event, state.Options, board.Board] = Game(
    id="gp02a_territory",
    title="Territory",
    rules_version="1.0",
    seats={players: state.COLOURS[:players] for players in (3, 4)},
    Options=state.Options,
    resolve=state.resolve,
    agreed={events.Trade: lambda trade: (trade.seat,)},
    events=events.EVENTS,
    chance_events=events.CHANCE,
    boards={"gp72+28": partial(board_file, __name__, "gp72+28")},
    read_board=board.read_board,
    start=state.start,
    pending=due.pending,
    left=due.remaining_text,
    due_rules=partial(phases.due_rules, due.not_due),
    check=rules.check,
    apply=reducer.apply,
    legal=choices.legal,
    sample=choices.sample,
    chance=reducer.chance,
    canonical=canonical_order(events.ORDERLESS),
    effects=effects.effects,
    score=scoring.score,
    unit="points",
    scored=("chronology", "fields"),
    features=features.features,
    scene=scene.scene,
    messages=effects.MESSAGES,
    translation=partial(translation, __name__),
    bots={"greedy": bots.greedy, "strong": strong.strong},
    rules=rules_of(__name__),
    describe=scene.describe,
    declare=declare.declare,
)
"""The game Territory."""
