"""The definition of a study: its variants, its bots, and the games of each block.

All variants play the same games: the same dice and draws by ordinal, the same line-ups, the same chance for
the bots. A block of a variant has two parts with one game for each seat:

- *Equal games*: one bot plays all seats. Each game has dice of its own and is a unit of its own.
- *Games of unequal bots*: one seat has a stronger bot, the others have the next weaker one. The stronger bot
  sits at each seat once, and all games of this rotation have the same dice, so the rotation is one unit. The
  steps of the ladder of bots take turns from block to block.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from gamelog.errors import BadSetup, NotReadable
from gamelog.message import many
from gamelog.play.contract.game import AnyGame
from gamelog.play.contract.registry import find
from gamelog.play.fold.start import check_players
from gamelog.play.playing.named_bots import bot_names, check_bots
from gamelog.record.atomic_files import write_atomically

DEFINITION, RECORDS, ARCHIVE, PAGE = "study.json", "records", "archive.duckdb", "study.html"
"""The files and the folder of records in the folder of a study."""

MAX_VARIANTS = 8
"""Maximum number of variants. More differences would leave each of them hardly any power."""

EQUAL = "equal"
"""Part of the games in which one bot plays all seats."""

VARIANT_TAG, PART_TAG, UNIT_TAG = "study_variant", "study_part", "study_unit"
"""Tags in the headers of a study's records."""


class Variant(Struct, frozen=True):
    """A variant of the game.

    Attributes:
        name: Name in answers, such as ``max_rounds=6``.
        rules: Version of the rules.
        options: Values of options that differ from the defaults.
        board: Name or data of the board; None for the first board.
        bot: Bot in equal games.
    """

    name: str
    rules: str
    options: dict[str, Any]
    board: str | dict[str, Any] | None
    bot: str


class PlannedGame(Struct, frozen=True):
    """A planned game of a study.

    Attributes:
        variant: Number of the variant, from 0.
        part: `EQUAL`, or the two bots of a step of the ladder, such as ``greedy>random``.
        unit: Name of the unit, the same in all variants.
        index: Number of the game in its series.
        bots: Names of the bots of the line-up.
        pairing: Seed of the chance of the game, the same in all variants.
    """

    variant: int
    part: str
    unit: str
    index: int
    bots: tuple[str, ...]
    pairing: str

    @property
    def file_name(self) -> str:
        """The name of the record's file."""
        part = self.part.replace(">", "-over-").replace(":", "-")  # some systems have no colons in names
        return f"{self.variant + 1}-{part}-{self.index:06}.jsonl"


class Study(Struct, frozen=True):
    """A study.

    Attributes:
        game: Id of the game.
        players: Number of seats.
        seed: Seed of all chance.
        bots: Bots from the weakest to the strongest.
        variants: Variants. The first is the one with which the others are compared.
        sequential: Whether the study may end at any time, so that its intervals must allow for that.
    """

    game: str
    players: int
    seed: str
    bots: tuple[str, ...]
    variants: tuple[Variant, ...]
    sequential: bool = False

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of the ladder of bots, such as ``greedy>random``, from the weakest on."""
        return tuple(f"{stronger}>{weaker}" for weaker, stronger in pairwise(self.bots))

    def rules_of(self, variant: Variant) -> AnyGame:
        """Return the game by the rules of `variant`."""
        return find(self.game, variant.rules)

    def games(self, blocks: range) -> Iterator[PlannedGame]:
        """Yield the games of these blocks, block by block."""
        seats, steps = self.players, self.steps
        for block in blocks:
            step = steps[block % len(steps)] if steps else ""
            for index in range(block * seats, (block + 1) * seats):
                for number, variant in enumerate(self.variants):
                    key = f"{self.seed}/{EQUAL}/{index}"
                    yield PlannedGame(number, EQUAL, str(index), index, (variant.bot,), key)
                for number in range(len(self.variants) if step else 0):
                    stronger, weaker = step.split(">")
                    bots = (stronger, *(weaker,) * (seats - 1))
                    yield PlannedGame(number, step, str(block), index, bots, f"{self.seed}/{step}/{block}")


def new_study(
    games: tuple[AnyGame, ...],
    variations: list[tuple[str, dict[str, Any]]],
    *,
    players: int | None = None,
    bots: tuple[str, ...] = (),
    seed: str = "1",
    sequential: bool = False,
) -> Study:
    """Return a study of all combinations of `games` and `variations`.

    Args:
        games: The game, or several versions of its rules.
        variations: The name of each variation, and its ``options``, ``board`` or ``bot``.
        players: The number of seats; by default, the smallest number that the game allows.
        bots: Bots from the weakest to the strongest; by default random and greedy, if the game has them.
        seed: The seed of all chance.
        sequential: Whether the study may end at any time.

    Raises:
        BadSetup: The games differ, a bot is unknown, or there are too many variants or equal ones.
    """
    first = games[0]
    if len({game.id for game in games}) > 1:
        raise BadSetup("A study compares variants of one game. Name one game, or versions of its rules.")
    chosen = bots or tuple(bot for bot in ("random", "greedy") if bot in bot_names(first))
    variants = tuple(
        Variant(
            ", ".join(filter(None, (f"rules {game.rules_version}" if len(games) > 1 else "", name)))
            or game.title,
            game.rules_version,
            given.get("options", {}),
            given.get("board"),
            given.get("bot", chosen[-1]),
        )
        for game in games
        for name, given in variations
    )
    check_bots(first, (*chosen, *(variant.bot for variant in variants)))
    if len(set(chosen)) < len(chosen):
        raise BadSetup("A bot is named twice. Name each bot once, the weakest first.")
    if len({variant.name for variant in variants}) < len(variants):
        raise BadSetup("A variant is named twice. Name each value once.")
    if len(variants) > MAX_VARIANTS:
        raise BadSetup(
            f"A study has at most {MAX_VARIANTS} variants, not {len(variants)}. Vary less at once."
        )
    count = min(first.seats) if players is None else players
    for game in games:
        check_players(game, count)
    return Study(first.id, count, seed, chosen, variants, sequential)


def save_study(study: Study, folder: Path) -> Study:
    """Write the definition of `study` into `folder`, or check that the folder has the same study.

    Raises:
        BadSetup: The folder has another study.
        WriteFailed: The folder cannot be written.
    """
    try:
        stored = read_study(folder)
    except FileNotFoundError:
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
        write_atomically(os.fspath(folder / DEFINITION), msgspec.json.format(msgspec.json.encode(study)))
        return study
    if stored != study:
        raise BadSetup(f"{folder} has another study. Choose another folder, or repeat its options.")
    return stored


def read_study(folder: Path) -> Study:
    """Return the study in `folder`.

    Raises:
        FileNotFoundError: There is none.
        NotReadable: Its definition cannot be read.
        BadSetup: Its game does not have this number of players.
        UnknownGame: Its game, or the version of its rules, is not installed.
    """
    data = (folder / DEFINITION).read_bytes()
    try:
        study = msgspec.json.decode(data, type=Study)
    except msgspec.MsgspecError as error:
        raise NotReadable(f"{folder / DEFINITION} is not the definition of a study: {error}.") from None
    if not study.variants or len(study.variants) > MAX_VARIANTS:
        raise NotReadable(
            f"{folder / DEFINITION} has {many(len(study.variants), 'variant')}, and a study has 1 to "
            f"{MAX_VARIANTS}."
        )
    for variant in study.variants:
        check_players(study.rules_of(variant), study.players)
    return study
