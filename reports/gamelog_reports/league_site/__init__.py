"""The pages about a league in a site: home, standings, rounds, people, and a page for each person.

`read_league_pages` in `gamelog_reports.league_site.pages` reads them from an archive to which a league was
applied, and `write_league_pages` writes those that have changed. Every site has the same list of games,
replay pages and report.
"""
