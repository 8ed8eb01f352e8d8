-- The greatest comebacks
-- Which winners were furthest behind the leader, and when? Games with one winner, the greatest deficit first; unit is what it counts.
-- $most INTEGER = 20: how many to show
SELECT game, variant, id, started, seat AS winner, name, max_deficit AS deficit, unit, max_deficit_at AS n
FROM $played JOIN seats USING (id)
WHERE len(winners) = 1 AND won AND max_deficit > 0
ORDER BY deficit DESC, game, id
LIMIT $most
