"""A small share of `tests.fuzz.machine`, whose docstring says how to run more of it."""

from tests.fuzz import machine


def test_nothing_that_was_promised_is_lost() -> None:
    machine.DONE.clear()
    machine.run(runs=20, steps=30)
    assert set(machine.DONE) == {"append", "crash", "reopen", "takeback", "sign", "seal", "branch", "recover"}
