-- The slowest turns
-- Which turns took longest, and how long were they compared with the median turn of the same game?
-- n is the first event of the turn. seconds are of play, without pauses. Turns in which several seats decide, for example while
-- the board is set up, are left out, and so are the turns of bots, whose times are invented.
-- $most INTEGER = 20: number of rows
WITH people AS (
  SELECT turns.id, turn, n, turns.seat, elapsed_ms, name
  FROM turns LEFT JOIN sittings
    ON sittings.id = turns.id AND sittings.seat = turns.seat AND n >= from_n AND n <= coalesce(to_n, n)
  WHERE turns.seat IS NOT NULL AND bot IS NULL
), slowest AS MATERIALIZED (
  SELECT game, variant, id, turn, n, seat, name, elapsed_ms
  FROM $counted_games JOIN people USING (id)
  ORDER BY elapsed_ms DESC, id, turn
  LIMIT $most
), median_turns AS (
  SELECT id, median(elapsed_ms) AS median_ms FROM people WHERE id IN (SELECT id FROM slowest) GROUP BY id
)
SELECT game, variant, slowest.id, turn, n, slowest.seat, name, elapsed_ms / 1000 AS seconds, CASE WHEN median_ms > 0 THEN elapsed_ms / median_ms END AS times_the_middle
FROM slowest JOIN median_turns USING (id)
ORDER BY elapsed_ms DESC, slowest.id, turn
