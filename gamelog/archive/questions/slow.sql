-- The slowest turns
-- Which turns took longest, and how many times the middle turn of the same game was that?
-- n is the first event of the turn, seconds are of play, pauses taken out. Turns in which several seats decide, as while the
-- board is set up, are left out.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
-- $most INTEGER = 20: how many to show
WITH slowest AS MATERIALIZED (
  SELECT game, id, turn, n, seat, took
  FROM chosen($game, $since, $until, $players, $who, $uncounted) JOIN turns USING (id)
  WHERE seat IS NOT NULL
  ORDER BY took DESC, id, turn
  LIMIT $most
), middles AS (
  SELECT id, median(took) AS middle FROM turns WHERE seat IS NOT NULL AND id IN (SELECT id FROM slowest) GROUP BY id
)
SELECT game, id, turn, n, seat, name, took / 1000 AS seconds, CASE WHEN middle > 0 THEN took / middle END AS times_the_middle
FROM slowest JOIN middles USING (id) LEFT JOIN seats USING (id, seat)
ORDER BY took DESC, id, turn
