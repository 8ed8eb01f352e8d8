-- Rules most often broken
-- Which rules do records break, how often, and where is an example?
-- stood are the illegal events that were played all the same, whether a ruling or a takeback followed or not.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
SELECT files.game, rule, count(*) AS times, count(DISTINCT findings.id) AS records, count(*) FILTER (severity = 'warning') AS stood,
  min_by(files.path, (files.path, n)) AS example, min_by(n, (files.path, n)) AS n, min_by(message, (files.path, n)) AS message
FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
  SEMI JOIN picked($game, $since, $until, $players, $who) AS picked ON picked.id = files.id
WHERE rule IS NOT NULL
GROUP BY files.game, rule
ORDER BY times DESC, files.game, rule
