"""The pages about a league in a site: home, standings, rounds, people, and a page for each person.

`write_league_pages` in `gamelog_reports.league_site.pages` writes them from an archive to which a league was
applied. Every site has the same list of games, replay pages and report.
"""
