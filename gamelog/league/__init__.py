"""A league: its rules, rounds, people and decisions in a file ``league.toml``, and its tables in an archive.

`gamelog.league.league_file` reads the file. `gamelog.league.applying` compares the league with an archive and
writes its tables (`gamelog.archive.schema.league_tables`). The stock questions ``league_*`` read these
tables. No record is ever changed.
"""
