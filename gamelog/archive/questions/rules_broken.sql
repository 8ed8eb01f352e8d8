-- Rules most often broken
-- Which rules do records break, how often, and where is an example?
-- stood are the illegal events that were played all the same, whether a ruling or a takeback followed or not.
SELECT files.game, variant, rule, count(*) AS times, count(DISTINCT findings.id) AS records, count(*) FILTER (severity = 'warning') AS stood,
  min_by(files.path, (files.path, n)) AS example, min_by(n, (files.path, n)) AS n, min_by(message, (files.path, n)) AS message
FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
  JOIN $picked AS picked ON picked.id = files.id
WHERE rule IS NOT NULL
GROUP BY files.game, variant, rule
ORDER BY times DESC, files.game, variant, rule
