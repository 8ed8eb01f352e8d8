"""A small share of `tests.fuzz.machine`, whose docstring says how to run more of it."""

from tests.fuzz import machine


def test_nothing_that_was_promised_is_lost() -> None:
    machine.run(runs=15, steps=30)
