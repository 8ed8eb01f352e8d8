"""Tests with arbitrary requests: no route, method, role or body makes the server fail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from gamelog_table.record.served_folder import ServedFolder
from gamelog_table.server import TableHost, open_socket
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from starlette.routing import Route

import gamelog
from gamelog.play.contract.registry import find
from gamelog.play.fold import common_events
from gamelog.record.envelope import tag_of
from tests.shares import examples
from tests.table.client import Client, Serving, serve_in_thread
from tests.table.conftest import FIRST

GAMES = {"evening": "slicewars", "flags": "dice_flags", "zones": "zone_control"}
KINDS = [*common_events.EVENTS, *(kind for game in GAMES.values() for kind in find(game).events)]
MEMBERS = sorted(
    {field.encode_name for kind in KINDS for field in structs.fields(kind)} | {"results", "expect"}
)
WORDS = ["red", "blue", "table", "arbiter", "C3", "scorer", "known", "slicewars", "evening", "stands", ""]

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 4)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
    max_leaves=8,
)


def objects(names: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for JSON objects with some of the members `names` and any values."""
    return st.dictionaries(st.sampled_from(names), values, max_size=5)


@st.composite
def events(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an object that resembles an event, often with the tag and members of a real event."""
    kind = draw(st.sampled_from(KINDS))
    names = [field.encode_name for field in structs.fields(kind)]
    event = draw(objects(names)) | draw(objects(MEMBERS) if draw(st.booleans()) else st.just({}))
    return event | {"do": draw(st.just(tag_of(kind)) | values)}


steps = st.fixed_dictionaries(
    {}, optional={"put": events() | values, "results": values, "skip": st.booleans(), "go": st.booleans()}
)
slips = st.fixed_dictionaries(
    {
        "at": st.integers(0, 2) | values,
        "expect": st.integers(0, 6) | values,
        "steps": st.lists(steps, max_size=3) | values,
    },
    optional={"before": st.booleans(), "shift": st.booleans(), "write": st.booleans()},
)
proposals = st.one_of(
    events(),
    st.builds(lambda event, key: {"event": event, "id": key}, events() | values, values),
    st.builds(lambda several: {"events": several}, st.lists(events() | values, max_size=3)),
)
BODIES: dict[str, st.SearchStrategy[Any]] = {
    "events": proposals,
    "would": proposals,
    "fix": slips,
}
news = objects(["name", "game", "seats", "board", "options", "dice", "tags"])

queries = st.dictionaries(
    st.sampled_from(["at", "from", "to", "cells"]),
    st.text(max_size=8) | values.map(json.dumps) | st.integers().map(str),
    max_size=2,
).map(lambda asked: urlencode(asked, errors="replace"))


def encode(body: Any) -> bytes:
    """Return `body` as JSON, also with values that JSON does not allow."""
    return json.dumps(body).encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of three games, one of them with events."""
    path = tmp_path_factory.mktemp("club")
    for name, game in GAMES.items():
        seats = dict.fromkeys(next(iter(find(game).seats.values())), "Ana")
        gamelog.create(path / f"{name}.jsonl", game, seats=seats)
    return path


@pytest.fixture(scope="module")
def club(folder: Path) -> Iterator[Serving]:
    """Yield a server of the folder."""
    with serve_in_thread(folder) as serving:
        assert serving.scorer.ask("POST", "/evening/events", FIRST).status == 201
        yield serving


@pytest.fixture(scope="module")
def clients(club: Serving) -> list[Client]:
    """Return clients with and without links. Half of them are scorers, who can do the most."""
    own = [
        Client({**link, "api": club.links[0]["api"]})
        for name in GAMES
        for link in club.scorer.get(f"/{name}/links").json["links"]
    ]
    return [*[club.scorer] * 12, *(Client(link) for link in club.links), *own, Client(club.links[0], "")]


@pytest.fixture(scope="module")
def addresses(folder: Path) -> list[tuple[str, str]]:
    """Return the method and path of all routes."""
    with open_socket(0, lan=False) as sock:
        table = TableHost(ServedFolder(folder), sock, lan=False, certificate=None, program=())
        routes = [route for route in table.app(100).routes if isinstance(route, Route)]
    return sorted((method, route.path) for route in routes for method in route.methods or ())


@settings(max_examples=examples(2_000))
@given(data=st.data())
def test_no_request_makes_the_server_fail(
    clients: list[Client], addresses: list[tuple[str, str]], data: st.DataObject
) -> None:
    client = data.draw(st.sampled_from(clients))
    method, path = data.draw(st.sampled_from(addresses))
    name = data.draw(st.sampled_from([*GAMES, "missing"]) | st.text(min_size=1, max_size=4))
    at = path.replace("{name:path}", quote(name.encode(errors="replace")))
    method = data.draw(st.sampled_from([*[method] * 7, "PUT", "DELETE", "OPTIONS"]))
    body = data.draw(values.map(encode) | st.binary(max_size=40)) if method != "GET" else None
    status = client.status(method, f"{at}?{data.draw(queries)}", body)
    assert status < 500, (client.role, method, at, body)


@settings(max_examples=examples(2_000))
@given(data=st.data())
def test_no_body_makes_the_server_fail(clients: list[Client], data: st.DataObject) -> None:
    client = data.draw(st.sampled_from(clients))
    path = data.draw(st.sampled_from([f"/{name}/{end}" for name in GAMES for end in BODIES] + [""]))
    body = data.draw(BODIES.get(path.rpartition("/")[2], news).map(encode))
    status = client.status("POST", client.path + path, body)
    assert status < 500, (client.role, path, body)


@pytest.mark.parametrize("path", ["events", "would", "fix"])
@pytest.mark.parametrize("do", [["claim"], {}, 1, None, True, [[]]])
def test_an_event_whose_name_is_not_text_is_malformed(club: Serving, path: str, do: object) -> None:
    n = club.scorer.get("/evening").json["n"]  # other tests of this module record events
    body = {"at": 1, "expect": n, "steps": [{"put": {"do": do}}]} if path == "fix" else {"do": do}
    answer = club.scorer.ask("POST", f"/evening/{path}", body)
    assert (answer.status, answer.code) == (400, "table.event")
