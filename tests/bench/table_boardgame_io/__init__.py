"""The table compared with boardgame.io, another server: `python -m tests.bench.table_boardgame_io`."""
