-- The greatest comebacks
-- Which winners were furthest behind the leader, and when? Games with one winner, the greatest deficit first.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
-- $most INTEGER = 20: how many to show
SELECT game, id, started, seat AS winner, name, behind AS deficit, behind_at AS n
FROM chosen($game, $since, $until, $players, $who, $uncounted) JOIN seats USING (id)
WHERE finished AND len(winners) = 1 AND won AND behind > 0
ORDER BY deficit DESC, game, id
LIMIT $most
