-- Places on the board
-- How often is each place fought over or changed, and by whom?
-- per_game is over all games on that board, walkovers included. rate is how often the attacker won there. winners is the share of
-- these events that belong to a seat that won the game in the end.
-- @groups
WITH events_by_place AS (
  SELECT id, place, 'contest' AS what, seat, won FROM contests WHERE stands AND place IS NOT NULL
  UNION ALL
  SELECT id, place, kind, seat, NULL FROM facts WHERE stands AND place IS NOT NULL
), chosen_games AS (
  SELECT *, count(*) OVER (PARTITION BY game, variant, board) AS of_games FROM $counted_games
)
SELECT game, variant, board, place, what, count(*) AS times, count(*) / any_value(of_games) AS per_game, avg(won::INTEGER) AS rate,
  count(*) FILTER (list_contains(winners, seat)) / nullif(count(*) FILTER (finished AND seat IS NOT NULL), 0) AS winners
FROM chosen_games JOIN events_by_place USING (id)
GROUP BY game, variant, board, place, what
ORDER BY game, variant, board, what, times DESC, place
