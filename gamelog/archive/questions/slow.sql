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
WITH turns AS (
  SELECT id, turn, min(n) AS n, sum(took) / 1000 AS seconds,
    min(seat) FILTER (decision IS NOT NULL) AS seat, max(seat) FILTER (decision IS NOT NULL) AS other
  FROM events WHERE turn IS NOT NULL
  GROUP BY id, turn
), slowest AS MATERIALIZED (
  SELECT * FROM turns SEMI JOIN chosen($game, $since, $until, $players, $who, $uncounted) USING (id) WHERE seat = other ORDER BY seconds DESC, id, turn LIMIT $most
), middles AS (
  SELECT id, median(seconds) AS middle
  FROM (SELECT id, turn, sum(took) / 1000 AS seconds, min(seat) FILTER (decision IS NOT NULL) AS seat,
    max(seat) FILTER (decision IS NOT NULL) AS other FROM events WHERE turn IS NOT NULL AND id IN (SELECT id FROM slowest) GROUP BY id, turn)
  WHERE seat = other
  GROUP BY id
)
SELECT game, id, turn, n, seat, name, seconds, CASE WHEN middle > 0 THEN seconds / middle END AS times_the_middle
FROM slowest JOIN middles USING (id) JOIN games USING (id) LEFT JOIN seats USING (id, seat)
ORDER BY seconds DESC, id, turn
