-- Time trouble
-- Who thinks long at first and hurries at the end?
-- Only decisions of people in games with at least 8 own decisions. first_quarter to last_quarter are the mean seconds of a decision in
-- each quarter of the player's own decisions of a game. hurry is the last quarter divided by the mean of the other quarters: 0.5
-- is twice as fast at the end. The game also changes: in many games late decisions are easier for everyone, so compare players of one
-- game with each other.
-- @games played
-- @groups
-- $least INTEGER = 3: leave out players with fewer games
WITH own AS (
  SELECT game, variant, player, id, seat, decision, elapsed_ms / 1000 AS seconds,
    ntile(4) OVER (PARTITION BY id, seat ORDER BY decision) AS quarter, count(*) OVER (PARTITION BY id, seat) AS decisions_of_game
  FROM $played JOIN events USING (id) JOIN sittings USING (id, seat)
  WHERE decision IS NOT NULL AND bot IS NULL AND player IS NOT NULL AND n >= from_n AND n <= coalesce(to_n, n)
)
SELECT game, variant, player, count(DISTINCT id) AS games, count(*) AS decisions, avg(seconds) FILTER (quarter = 1) AS first_quarter,
  avg(seconds) FILTER (quarter = 2) AS second_quarter, avg(seconds) FILTER (quarter = 3) AS third_quarter,
  avg(seconds) FILTER (quarter = 4) AS last_quarter, avg(seconds) FILTER (quarter = 4) / nullif(avg(seconds) FILTER (quarter < 4), 0) AS hurry
FROM own
WHERE decisions_of_game >= 8
GROUP BY game, variant, player
HAVING count(DISTINCT id) >= $least
ORDER BY game, variant, hurry NULLS LAST, player
