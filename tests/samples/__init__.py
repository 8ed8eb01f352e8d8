"""The records of ``sample_games/``, which ``python -m tests.samples`` writes again, byte for byte.

A module here for each game has a function ``records() -> dict[name, bytes]``. Records that have
been published stay as they are: a change here that changes their bytes needs a new name.
"""
