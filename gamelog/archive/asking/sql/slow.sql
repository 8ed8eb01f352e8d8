-- The slowest turns
-- Which turns took longest, and how many times the middle turn of the same game was that?
-- n is the first event of the turn, seconds are of play, pauses taken out. Turns in which several seats decide, as while the
-- board is set up, are left out.
-- $most INTEGER = 20: how many to show
WITH slowest AS MATERIALIZED (
  SELECT game, variant, id, turn, n, seat, took
  FROM $chosen JOIN turns USING (id)
  WHERE seat IS NOT NULL
  ORDER BY took DESC, id, turn
  LIMIT $most
), middles AS (
  SELECT id, median(took) AS middle FROM turns WHERE seat IS NOT NULL AND id IN (SELECT id FROM slowest) GROUP BY id
)
SELECT game, variant, id, turn, n, seat, name, took / 1000 AS seconds, CASE WHEN middle > 0 THEN took / middle END AS times_the_middle
FROM slowest JOIN middles USING (id) LEFT JOIN seats USING (id, seat)
ORDER BY took DESC, id, turn
