"""The pages about a league in a site: home, standings, rounds, people, and a page for each person.

`write_league_pages` in `gamelog_reports.league_site.pages` writes them from an archive to which a league was
applied. The list of games, the replay pages and the report are those of every site.
"""
