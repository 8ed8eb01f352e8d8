"""The table beside another server of board games, boardgame.io: `python -m tests.bench.table_boardgame_io`."""
