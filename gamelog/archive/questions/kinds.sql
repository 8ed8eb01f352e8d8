-- What happens, and how often
-- Which events and consequences fill the games, and which never come up?
-- games is the part of the games in which it happens at least once. An event a game has and nobody used is not in the list.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH chosen_games AS (
  SELECT id, game, row_number() OVER ()::INTEGER AS number, count(*) OVER (PARTITION BY game) AS of_games -- numbers group faster than ids
  FROM chosen($game, $since, $until, $players, $who, $uncounted)
), happened AS (
  SELECT number, 'event' AS what, kind, count(*) AS times FROM events JOIN chosen_games USING (id) WHERE stands GROUP BY number, kind
  UNION ALL
  SELECT number, 'consequence', kind, count(*) FROM facts JOIN chosen_games USING (id) WHERE stands GROUP BY number, kind
)
SELECT game, what, kind, sum(times)::BIGINT AS times, sum(times) / any_value(of_games) AS per_game,
  count(*) / any_value(of_games) AS games
FROM chosen_games JOIN happened USING (number)
GROUP BY game, what, kind
ORDER BY game, what DESC, times DESC, kind
