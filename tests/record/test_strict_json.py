"""Tests of valid JSON that two readers may understand differently, one body at a time."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamelog.record import strict_json


def nested(depth: int, opening: bytes = b"[", closing: bytes = b"]") -> bytes:
    """Return a body with a value nested `depth` levels deep; the object around it is one level more."""
    return b'"a":' + opening * depth + b"0" + closing * depth + b"}\n"


@pytest.mark.parametrize(
    "body",
    [
        b"}\n",
        b'"a":1}\n',
        b' "a" : [ 1 , 2 ] }\n',
        b'"a":9007199254740991,"b":-9007199254740991,"c":-0}\n',
        b'"a":1.5,"b":-1e308,"c":1e-999,"d":true,"e":null}\n',
        b'"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}\n',
        '"a":"žluť \\u017e \\ud83d\\ude00 \\n"}\n'.encode(),
        nested(63),
        nested(63, b'{"a":', b"}"),
        b'"b":[],"c":{},' + nested(63),
        b'"a":[' + b"[]," * 200 + b"0]}\n",
        b'"a":"' + b"[" * 200 + b'"}\n',
        b'"a":"\\"' + b"{" * 200 + b'\\\\","b":[[0]]}\n',
    ],
)
def test_bodies_that_all_readers_understand_alike_pass(body: bytes) -> None:
    assert strict_json.line_problem(body) is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'"a":1,"a":1}\n', 'the member "a" is listed twice in one object'),
        (b'"a":1,"\\u0061":1}\n', 'the member "a" is listed twice'),
        (b'"a":1,"b":{"c":[{"d":1,"e":2,"d":1}]}}\n', 'the member "d" is listed twice'),
        (b'"%s":1,"%s":1}\n' % (b"x" * 50, b"x" * 50), f'the member "{"x" * 40}" is listed twice'),
        (b'"h":"x"}\n', 'the member "h" is listed twice'),
        (b'"a":NaN}\n', "NaN is not a JSON number"),
        (b'"a":[-Infinity]}\n', "-Infinity is not a JSON number"),
        (b'"a":9007199254740992}\n', "the integer 9007199254740992 has more than 53 bits"),
        (b'"a":-9007199254740992}\n', "the integer -9007199254740992 has more than 53 bits"),
        (b'"a":' + b"9" * 5_000 + b"}\n", f"the integer {'9' * 24} has more than 53 bits"),
        (b'"a":1e309}\n', "the number 1e309 is too large"),
        (b'"a":-1.%se999}\n' % (b"0" * 50), f"the number -1.{'0' * 21} is too large"),
        (b'"a":"\\ud800"}\n', "half of a surrogate pair"),
        (b'"\\udc00":1}\n', "half of a surrogate pair"),
        (b'"a":"\xff"}\n', "the line is not valid UTF-8 at byte 5 of its body"),
        (b'"a":1\r}\n', "carriage return"),
        (b'"a":1}\r\n', "carriage return"),
        (b'"a":01}\n', "not JSON"),
        (b'"a":1,}\n', "not JSON"),
        (b'"a":1}{}\n', "not JSON"),
        (b'"a":"\t"}\n', "not JSON"),
        (b'"a":1\n', "not JSON"),
        (b"\n", "not JSON"),
        (nested(64), "nested more than 64 levels deep"),
        (nested(64, b'{"a":', b"}"), "nested more than 64 levels deep"),
        (b'"a":[],"b":{},' + nested(64), "nested more than 64 levels deep"),
        (b'"a":' + b"[" * 200_000, "nested more than 64 levels deep"),
        (b'"\\\\":' + b"[" * 64 + b"}\n", "nested more than 64 levels deep"),
    ],
)
def test_bodies_that_readers_understand_differently_are_reported(body: bytes, words: str) -> None:
    assert words in str(strict_json.line_problem(body))


NUMBERS = st.integers(-(10**20), 10**20) | st.floats() | st.sampled_from((2**53 - 1, 2**53, 10**15, -(2**53)))
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(("h", "a", "b", "\u00e9")), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(("h", "a", "b", "\u00e9")), VALUES), st.booleans())
def test_canonical_bodies_also_pass_the_parser(members: dict[str, object], ours: bool) -> None:
    try:
        text = (
            msgspec.json.encode(members).decode()
            if ours
            else json.dumps(members, ensure_ascii=False, separators=(",", ":"))
        )
        body = text[1:].encode("utf-8", "surrogatepass") + b"\n"
    except UnicodeEncodeError:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict_json, "_is_canonical", lambda _body: False)
        slowly = strict_json.line_problem(body)
    assert strict_json.line_problem(body) == slowly
