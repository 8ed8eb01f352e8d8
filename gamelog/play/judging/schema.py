"""JSON Schema of a game's record lines, from the same types that decode them.

A line is a header or one of the game's events or a common one, each with the digest ``h``. The
schema says what a line may hold; it cannot say that digests chain, that ``n`` counts or that an
event is legal.
"""

from __future__ import annotations

from typing import Any

import msgspec

from gamelog.play.contract.game import AnyGame
from gamelog.play.fold import common
from gamelog.record.envelope import FORMAT, Event, Header

DIGEST = {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$", "description": "The chain's digest of this line."}


def schema(game: AnyGame | None = None) -> dict[str, Any]:
    """The schema of one line of a record of `game`; without one, of what all records share."""
    events: tuple[type[Event], ...] = (*common.EVENTS, *(game.events if game else ()))
    kinds = (Header, *events)
    references, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for reference in references:
        definition = definitions[reference["$ref"].rpartition("/")[2]]
        definition["properties"] = {"h": DIGEST, **definition["properties"]}
        definition["required"] = ["h", *definition["required"]]
    name = game.id if game else "record"
    title = f"A line of a {game.title} record (rules {game.rules_version})" if game else "What all records share"
    if game:
        options_schema = msgspec.json.schema(game.Options)
        definitions["Options"] = options_schema["$defs"][game.Options.__name__]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:gamelog:{FORMAT}:{name}",
        "title": title,
        "anyOf": list(references),
        "$defs": dict(sorted(definitions.items())),
    }


def text(game: AnyGame | None = None) -> str:
    """The schema as it is checked in under ``schemas/``."""
    return msgspec.json.format(msgspec.json.encode(schema(game)), indent=1).decode() + "\n"
