-- Endings of games
-- For what reason do games end, how often, with how many winners, and after how long?
-- result_by is how the result came about: by play (the game reached its end), by resignation, by agreement, by the ruling of an
-- arbiter, or by walkover (a resignation, agreement or ruling before two seats had decided anything). minutes_median leaves out
-- games with a bot, because the times of bots are invented.
-- @groups
WITH finished_games AS (
  SELECT * REPLACE (CASE WHEN NOT has_bot(id) THEN duration END AS duration) FROM $counted_games WHERE finished
)
SELECT game, variant, players, reason, result_by, count(*) AS games, count(*) / sum(count(*)) OVER (PARTITION BY game, variant, players) AS part,
  count(*) FILTER (len(winners) > 1) AS shared, count(*) FILTER (len(winners) = 0) AS drawn,
  median(events) AS events_median, median(duration) / 60000 AS minutes_median
FROM finished_games
GROUP BY game, variant, players, reason, result_by
ORDER BY game, variant, players, games DESC, reason, result_by
