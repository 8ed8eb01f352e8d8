"""JSON Schema of the lines of a game's records, made from the types that decode them.

A line is a header, an event of the game or a common event, each with the digest ``h``. A schema describes the
members of a line. It cannot describe that digests chain, that ``n`` counts or that an event is legal.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from inspect import cleandoc
from textwrap import dedent
from typing import Any

import msgspec

from gamelog.play.contract.game import AnyGame
from gamelog.play.fold import common_events
from gamelog.record.envelope import FORMAT, Event, Header

_DIGEST_SCHEMA = {
    "type": "string",
    "pattern": "^[A-Za-z0-9_-]{43}$",
    "description": "The chain's digest of this line.",
}


def schema(game: AnyGame | None = None) -> dict[str, Any]:
    """Return the schema of a record line of `game`, or, without a game, the schema shared by all games."""
    definitions, lines = _definitions((Header, *common_events.EVENTS))
    if game is None:
        return _schema("record", "What all records share", lines, definitions)
    shared, base = definitions, f"urn:gamelog:{FORMAT}:record"
    definitions, lines = _definitions(game.events)
    definitions["Options"] = msgspec.json.schema(game.Options)["$defs"][game.Options.__name__]
    same = {name for name, definition in definitions.items() if shared.get(name) == definition}
    own = {
        name: _with_references(definition, same, base)
        for name, definition in definitions.items()
        if name not in same
    }
    title = f"A line of a {game.title} record (rules {game.rules_version})"
    return _schema(game.id, title, [{"$ref": base}, *lines], own)


def _schema(
    name: str, title: str, lines: list[dict[str, Any]], definitions: dict[str, Any]
) -> dict[str, Any]:
    """Return the JSON Schema document for `lines`, with its `definitions` sorted by name."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:gamelog:{FORMAT}:{name}",
        "title": title,
        "anyOf": lines,
        "$defs": {name: _with_descriptions(definition) for name, definition in sorted(definitions.items())},
    }


def _definitions(kinds: Sequence[type[Event] | type[Header]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the definitions of the types `kinds` and their parts, and a reference to each type."""
    references, definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for reference in references:
        definition = definitions[reference["$ref"].rpartition("/")[2]]
        definition["properties"] = {"h": _DIGEST_SCHEMA, **definition["properties"]}
        definition["required"] = ["h", *definition["required"]]
    return definitions, list(references)


def _with_descriptions(definition: dict[str, Any]) -> dict[str, Any]:
    """Return `definition` with descriptions of the type and its members, from the docstring of the type."""
    summary, _, attributes = cleandoc(definition.get("description", "")).partition("\n\nAttributes:\n")
    properties = dict(definition.get("properties", {}))
    for attribute in re.split(r"\n(?=\S)", dedent(attributes)) if attributes else ():
        name, _, meaning = attribute.partition(": ")
        properties[name] = {**properties[name], "description": " ".join(meaning.split())}
    described = {"description": summary} if summary else {}
    return {**definition, **described, **({"properties": properties} if properties else {})}


def _with_references(part: Any, shared: Container[str], base: str) -> Any:
    """Return `part` of a schema, in which references to `shared` definitions lead to the schema `base`."""
    if isinstance(part, dict):
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name in shared:
            return {**part, "$ref": f"{base}#/$defs/{name}"}
        return {key: _with_references(value, shared, base) for key, value in part.items()}
    return [_with_references(value, shared, base) for value in part] if isinstance(part, list) else part


def schema_text(game: AnyGame | None = None, *, with_shared: bool = False) -> str:
    """Return the schema as in ``schemas/``. With `with_shared`, it includes the shared schema."""
    document = schema(game)
    if game and with_shared:
        shared = schema()
        document["$defs"][shared["$id"]] = shared
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"
