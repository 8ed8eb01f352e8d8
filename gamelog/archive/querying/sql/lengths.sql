-- Lengths of games
-- How long are games, in events, in turns and in minutes of play without pauses?
-- median is the middle game. One game in ten is shorter than short, and one in ten is longer than long. Only games that were
-- played and recorded to their end count. Resignations, agreements, rulings, walkovers and games with gaps are left out. minutes
-- leave out games with a bot, because the times of bots are invented.
-- @games to_the_end
-- @groups
-- @table game, variant, players, games, median events = events_median, events = events_min–events_max, median minutes = minutes_median, minutes = minutes_min–minutes_max
WITH complete_games AS (
  SELECT * REPLACE (CASE WHEN NOT has_bot(id) THEN duration END AS duration) FROM $played WHERE to_the_end(result_by, gaps)
)
SELECT game, variant, players, count(*) AS games,
  min(events) AS events_min, quantile_cont(events, 0.1) AS events_short, median(events) AS events_median,
  quantile_cont(events, 0.9) AS events_long, max(events) AS events_max,
  median(turns) AS turns_median,
  min(duration) / 60000 AS minutes_min, quantile_cont(duration, 0.1) / 60000 AS minutes_short,
  median(duration) / 60000 AS minutes_median, quantile_cont(duration, 0.9) / 60000 AS minutes_long,
  max(duration) / 60000 AS minutes_max
FROM complete_games
GROUP BY game, variant, players
ORDER BY game, variant, players
