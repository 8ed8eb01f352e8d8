-- The greatest comebacks
-- Which winners were furthest behind the leader, and when? Games with one winner, the greatest deficit first.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
-- $most INTEGER = 20: how many to show
WITH behind AS (
  SELECT g.game, g.id, g.started, g.winners[1] AS winner, l.n, l.most - list_extract(l.points, list_position(l.seats, g.winners[1])) AS deficit
  FROM chosen($game, $uncounted) AS g JOIN leads AS l ON l.id = g.id
  WHERE finished AND len(winners) = 1
)
SELECT game, id, any_value(started) AS started, any_value(winner) AS winner, any_value(name) AS name,
  max(deficit) AS deficit, max_by(n, (deficit, -n)) AS n
FROM behind LEFT JOIN seats USING (id)
WHERE seats.seat = winner
GROUP BY game, id
HAVING max(deficit) > 0
ORDER BY deficit DESC, game, id
LIMIT $most
