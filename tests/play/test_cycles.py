"""Tests that the garbage collector is paused and resumes as it was."""

from __future__ import annotations

import gc

from gamelog.play.judging.fold_record import gc_paused


def test_the_collector_is_paused_and_resumes_if_it_was_on() -> None:
    assert gc.isenabled()
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled(), "it stays paused for the outer caller"
    assert gc.isenabled()
