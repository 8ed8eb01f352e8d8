-- Kinds of events
-- Which events and consequences happen in the games, and how often?
-- games is the share of games, walkovers included, in which the event or consequence happens at least once. Events that never
-- happened are not in the answer.
-- @groups
WITH chosen_games AS (
  SELECT id, game, variant, row_number() OVER ()::INTEGER AS number, count(*) OVER (PARTITION BY game, variant) AS of_games -- grouping by numbers is faster than by ids
  FROM $counted_games
), kinds_by_game AS (
  SELECT number, 'event' AS what, kind, count(*) AS times FROM events JOIN chosen_games USING (id) WHERE stands AND NOT slip GROUP BY number, kind
  UNION ALL
  SELECT number, 'consequence', kind, count(*) FROM facts JOIN chosen_games USING (id) WHERE stands GROUP BY number, kind
)
SELECT game, variant, what, kind, sum(times)::BIGINT AS times, sum(times) / any_value(of_games) AS per_game,
  count(*) / any_value(of_games) AS games
FROM chosen_games JOIN kinds_by_game USING (number)
GROUP BY game, variant, what, kind
ORDER BY game, variant, what DESC, times DESC, kind
