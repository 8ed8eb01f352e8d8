-- The slowest turns
-- Which turns took longest, and how many times the middle turn of the same game was that?
-- n is the first event of the turn, seconds are of play, pauses taken out. Turns in which several seats decide, as while the
-- board is set up, are left out.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
-- $most INTEGER = 20: how many to show
WITH taken AS (
  SELECT game, id, turn, min(n) AS n, any_value(seat) FILTER (decision IS NOT NULL) AS seat, sum(took) / 1000 AS seconds
  FROM chosen($game, $uncounted) JOIN events USING (id)
  WHERE turn IS NOT NULL
  GROUP BY game, id, turn
  HAVING count(DISTINCT seat) FILTER (decision IS NOT NULL) = 1
), compared AS (
  SELECT *, median(seconds) OVER (PARTITION BY id) AS middle FROM taken
)
SELECT game, id, turn, n, seat, name, seconds, CASE WHEN middle > 0 THEN seconds / middle END AS times_the_middle
FROM compared LEFT JOIN seats USING (id, seat)
ORDER BY seconds DESC, game, id, turn
LIMIT $most
