"""Python's search for reference cycles, put off while a great many objects are made that have none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unsearched() -> Iterator[None]:
    """Do without the search meanwhile.

    It looks at every object that lives whenever there are a quarter more of them: for a batch of records that
    is up to a sixteenth of the time, and for lines full of lists nearly all of it.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
