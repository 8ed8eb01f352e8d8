-- How long games last
-- In events, turns and minutes of play (pauses taken out): the middle game, and the one in ten that is shorter or longer.
-- Only games that were played to their end, every line written down: no resignations, agreements, rulings, walkovers, gaps.
SELECT game, variant, players, count(*) AS games,
  min(events) AS events_min, quantile_cont(events, 0.1) AS events_short, median(events) AS events_median,
  quantile_cont(events, 0.9) AS events_long, max(events) AS events_max,
  median(turns) AS turns_median,
  min(duration) / 60000 AS minutes_min, quantile_cont(duration, 0.1) / 60000 AS minutes_short,
  median(duration) / 60000 AS minutes_median, quantile_cont(duration, 0.9) / 60000 AS minutes_long,
  max(duration) / 60000 AS minutes_max
FROM $played
WHERE to_the_end(result_by, gaps)
GROUP BY game, variant, players
ORDER BY game, variant, players
