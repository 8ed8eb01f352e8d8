-- Rules most often broken
-- Which rules do records break, how often, and where is an example?
-- times and records count the events with a settled outcome: judging stopped there, or a ruling or a takeback followed. stood is
-- how many of them were played anyway and count. disputed is the number of illegal events without a ruling, which are in none of
-- the other numbers. A game that is in the archive several times (in files of one id, as a copy, or as the beginning of a branch)
-- counts once.
-- @groups
WITH breaches AS (
  SELECT picked.game, variant, rule, findings.id, severity = 'warning' AS stood, code = 'play.as_played' AS open,
    files.path, n, message
  FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
    JOIN $picked AS picked ON picked.id = files.id AND picked.path = files.path AND picked.member = files.member
  WHERE rule IS NOT NULL AND copy_of IS NULL AND (parent IS NULL OR parent NOT IN (SELECT id FROM games))
)
SELECT game, variant, rule, count(*) FILTER (NOT open) AS times, count(DISTINCT id) FILTER (NOT open) AS records,
  count(*) FILTER (stood AND NOT open) AS stood, count(*) FILTER (open) AS disputed,
  min_by(path, (open, path, n)) AS example, min_by(n, (open, path, n)) AS n, min_by(message, (open, path, n)) AS message
FROM breaches
GROUP BY game, variant, rule
ORDER BY times DESC, disputed DESC, game, variant, rule
