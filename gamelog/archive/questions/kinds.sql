-- What happens, and how often
-- Which events and consequences fill the games, and which never come up?
-- games is the part of the games in which it happens at least once. An event a game has and nobody used is not in the list.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH happened AS (
  SELECT id, 'event' AS what, kind FROM events WHERE stands
  UNION ALL
  SELECT id, 'consequence', kind FROM facts WHERE stands
), chosen_games AS (
  SELECT id, game, count(*) OVER (PARTITION BY game) AS of_games FROM chosen($game, $uncounted)
)
SELECT game, what, kind, count(*) AS times, count(*) / any_value(of_games) AS per_game,
  count(DISTINCT id) / any_value(of_games) AS games
FROM chosen_games JOIN happened USING (id)
GROUP BY game, what, kind
ORDER BY game, what DESC, times DESC, kind
