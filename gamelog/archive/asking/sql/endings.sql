-- Endings of games
-- For what reason do games end, how often, with how many winners, and after how long?
-- result_by is how the result came about: by play (the game reached its end), by resignation, by agreement, by the ruling of an
-- arbiter, or by walkover (a resignation, agreement or ruling before two seats had decided anything).
SELECT game, variant, players, reason, result_by, count(*) AS games, count(*) / sum(count(*)) OVER (PARTITION BY game, variant, players) AS part,
  count(*) FILTER (len(winners) > 1) AS shared, count(*) FILTER (len(winners) = 0) AS drawn,
  median(events) AS events_median, median(duration) / 60000 AS minutes_median
FROM $counted_games
WHERE finished
GROUP BY game, variant, players, reason, result_by
ORDER BY game, variant, players, games DESC, reason, result_by
