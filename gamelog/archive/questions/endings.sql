-- How games end
-- For what reason, how often, with how many winners, and after how long?
SELECT game, variant, players, reason, count(*) AS games, count(*) / sum(count(*)) OVER (PARTITION BY game, variant, players) AS part,
  count(*) FILTER (len(winners) > 1) AS shared, count(*) FILTER (len(winners) = 0) AS drawn,
  median(events) AS events_median, median(duration) / 60000 AS minutes_median
FROM $chosen
WHERE finished
GROUP BY game, variant, players, reason
ORDER BY game, variant, players, games DESC, reason
