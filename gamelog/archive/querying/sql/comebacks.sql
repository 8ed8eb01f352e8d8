-- The greatest comebacks
-- Which winners were furthest behind the leader, and when?
-- The answer has games with one winner, the greatest deficit first. unit is what the game counts. name lists everyone who sat at
-- the winner's seat, the first person first.
-- @games played
-- $most INTEGER = 20: number of rows
SELECT game, variant, id, started, seat AS winner,
  CASE WHEN sitters = 1 THEN name ELSE (SELECT string_agg(name, ', ' ORDER BY from_n) FROM stays WHERE stays.id = seats.id AND stays.seat = seats.seat) END AS name,
  max_deficit AS deficit, unit, max_deficit_at AS n
FROM $played JOIN seats USING (id)
WHERE len(winners) = 1 AND won AND max_deficit > 0
ORDER BY deficit DESC, game, id
LIMIT $most
