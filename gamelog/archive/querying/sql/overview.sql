-- Contents of the archive
-- How many records of each game are in the archive, in what state, how long, and from when to when?
-- counted is the number of records that the other questions use. unplayed is how many of the finished ones ended by a walkover or
-- a ruling.
SELECT game, count(*) AS records,
  count(*) FILTER (counted) AS counted,
  count(*) FILTER (counted AND finished) AS finished,
  count(*) FILTER (counted AND finished AND NOT made_by_play(result_by)) AS unplayed,
  count(*) FILTER (status = 'disputed') AS disputed,
  count(*) FILTER (status NOT IN ('ok', 'ruled', 'disputed')) AS broken,
  count(*) FILTER (copy_of IS NOT NULL) AS copies,
  count(*) FILTER (id IN (SELECT id FROM findings WHERE code = 'archive.fork')) AS forks,
  count(*) FILTER (valid AND NOT counted AND copy_of IS NULL
    AND id NOT IN (SELECT id FROM findings WHERE code = 'archive.fork' AND id IS NOT NULL)) AS branches,
  sum(events)::BIGINT AS events,
  min(players) AS fewest, max(players) AS most,
  min(started) AS first, max(started) AS last
FROM games GROUP BY game ORDER BY game
