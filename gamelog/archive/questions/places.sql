-- Where on the board things happen
-- How often is each place fought over and touched by what the game counts, and who profits?
-- rate is how often the attacker won there; winners is the part of it that was done by a seat that won the game in the end.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH happened AS (
  SELECT id, place, 'contest' AS what, seat, contests.won AS success FROM contests WHERE stands AND place IS NOT NULL
  UNION ALL
  SELECT id, place, kind, seat, NULL FROM facts WHERE stands AND place IS NOT NULL
)
SELECT game, board, place, what, count(*) AS times, count(*) / count(DISTINCT id) AS per_game,
  avg(success::INTEGER) AS rate, avg(seats.won::INTEGER) AS winners
FROM chosen($game, $uncounted) JOIN happened USING (id) LEFT JOIN seats USING (id, seat)
GROUP BY game, board, place, what
ORDER BY game, board, what, times DESC, place
