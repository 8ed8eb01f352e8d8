-- The greatest comebacks
-- Which winners were furthest behind the leader, and when? Games with one winner, the greatest deficit first.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
-- $most INTEGER = 20: how many to show
WITH won AS (
  SELECT game, id, started, winners[1] AS winner FROM chosen($game, $uncounted) WHERE finished AND len(winners) = 1
), moments AS (
  SELECT id, n, any_value(winner) AS winner, any_value(most) AS most, max(score) FILTER (seat = winner) AS score
  FROM won JOIN scores USING (id) GROUP BY id, n
), behind AS (
  SELECT id, n, most - last_value(score IGNORE NULLS) OVER (PARTITION BY id ORDER BY n) AS deficit FROM moments
), furthest AS (
  SELECT id, max(deficit) AS deficit, max_by(n, (deficit, -n)) AS n FROM behind GROUP BY id
)
SELECT game, id, started, winner, name, deficit, n
FROM furthest JOIN won USING (id) LEFT JOIN seats ON seats.id = won.id AND seat = winner
WHERE deficit > 0
ORDER BY deficit DESC, game, id
LIMIT $most
