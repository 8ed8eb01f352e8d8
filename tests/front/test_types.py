"""Type checkers know the states and the events of the game that is named."""

from pathlib import Path

from mypy import api


def test_mypy_knows_the_states_and_events_of_a_game_that_is_named() -> None:
    """In ``typed.py`` every `assert_type` holds, and every mistake that is marked as one is found."""
    out, err, status = api.run(["--strict", str(Path(__file__).parent / "typed.py")])
    assert not status, out + err
