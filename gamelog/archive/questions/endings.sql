-- How games end
-- For what reason, how often, with how many winners, and after how long?
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
SELECT game, players, reason, count(*) AS games, count(*) / sum(count(*)) OVER (PARTITION BY game, players) AS part,
  count(*) FILTER (len(winners) > 1) AS shared, count(*) FILTER (len(winners) = 0) AS drawn,
  median(events) AS events_median, median(duration) / 60000 AS minutes_median
FROM chosen($game, $uncounted)
WHERE finished
GROUP BY game, players, reason
ORDER BY game, players, games DESC, reason
