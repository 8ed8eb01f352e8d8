"""Tests of numbers and lists in words."""

import pytest

from gamelog.message import join_words


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), ""),
        (("Ana",), "Ana"),
        (("Ana", "Rui"), "Ana and Rui"),
        (("Ana", "Rui", "Eva"), "Ana, Rui and Eva"),
    ],
)
def test_words_are_joined_as_people_write_them(words: tuple[str, ...], text: str) -> None:
    assert join_words(words) == text
    assert join_words(words, "or") == text.replace(" and ", " or ")
