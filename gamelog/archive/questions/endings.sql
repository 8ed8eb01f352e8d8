-- How games end
-- For what reason, how often, with how many winners, and after how long?
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
SELECT game, players, reason, count(*) AS games, count(*) / sum(count(*)) OVER (PARTITION BY game, players) AS part,
  count(*) FILTER (len(winners) > 1) AS shared, count(*) FILTER (len(winners) = 0) AS drawn,
  median(events) AS events_median, median(duration) / 60000 AS minutes_median
FROM chosen($game, $since, $until, $players, $who, $uncounted)
WHERE finished
GROUP BY game, players, reason
ORDER BY game, players, games DESC, reason
