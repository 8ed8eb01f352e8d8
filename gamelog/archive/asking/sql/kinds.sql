-- What happens, and how often
-- Which events and consequences fill the games, and which never come up?
-- games is the part of the games, walkovers too, in which it happens at least once. An event a game has and nobody used is not in the list.
WITH chosen_games AS (
  SELECT id, game, variant, row_number() OVER ()::INTEGER AS number, count(*) OVER (PARTITION BY game, variant) AS of_games -- numbers group faster than ids
  FROM $counted_games
), happened AS (
  SELECT number, 'event' AS what, kind, count(*) AS times FROM events JOIN chosen_games USING (id) WHERE stands AND NOT slip GROUP BY number, kind
  UNION ALL
  SELECT number, 'consequence', kind, count(*) FROM facts JOIN chosen_games USING (id) WHERE stands GROUP BY number, kind
)
SELECT game, variant, what, kind, sum(times)::BIGINT AS times, sum(times) / any_value(of_games) AS per_game,
  count(*) / any_value(of_games) AS games
FROM chosen_games JOIN happened USING (number)
GROUP BY game, variant, what, kind
ORDER BY game, variant, what DESC, times DESC, kind
