-- Rules most often broken
-- Which rules do records break, how often, and where is an example?
-- stood are the illegal events that were played all the same, whether a ruling or a takeback followed or not.
-- $game VARCHAR = NULL: only this game
SELECT game, rule, count(*) AS times, count(DISTINCT findings.id) AS records, count(*) FILTER (severity = 'warning') AS stood,
  min_by(files.path, (files.path, n)) AS example, min_by(n, (files.path, n)) AS n, min_by(message, (files.path, n)) AS message
FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
WHERE rule IS NOT NULL AND ($game IS NULL OR game = $game)
GROUP BY game, rule
ORDER BY times DESC, game, rule
