-- First decisions and their results
-- What does each seat or each player decide first, and how often does it win after that?
-- With by=player, an opening is of the player who made these decisions, at any seat, and seat is null. With by=seat, player is null.
-- share is the mean part of the victory. low and high are Wilson's 95 % interval of winning alone.
-- @games played
-- @groups
-- $decisions INTEGER = 1: number of first decisions that make an opening
-- $least INTEGER = 1: leave out openings of fewer games
-- $by seat|player = seat: one row for each seat or for each player
WITH first_decisions AS (
  SELECT events.id, events.seat, list_sort(list((decision, kind || ' ' || data))) AS decided_first, -- faster than ORDER BY in the list
    min(player) AS player, min(player) = max(player) AS has_one_player
  FROM events LEFT JOIN sittings ON $by = 'player' AND sittings.id = events.id AND sittings.seat = events.seat AND n >= from_n AND n <= coalesce(to_n, n)
  WHERE decision <= $decisions
  GROUP BY events.id, events.seat
), totals AS (
  SELECT game, variant, players, CASE WHEN $by = 'seat' THEN first_decisions.seat END AS seat, first_decisions.player,
    array_to_string(list_transform(decided_first, lambda one: one[2]), ', ') AS opening,
    count(*) AS games, avg(share) AS share,
    count(*) FILTER (len(winners) = 1) AS decided, count(*) FILTER (len(winners) = 1 AND won) AS won
  FROM $played JOIN first_decisions USING (id) JOIN seats USING (id, seat)
  WHERE $by = 'seat' OR has_one_player
  GROUP BY game, variant, players, CASE WHEN $by = 'seat' THEN first_decisions.seat END, first_decisions.player, opening
)
SELECT * EXCLUDE (player), wilson_low(won, decided) AS low, wilson_high(won, decided) AS high, player
FROM totals
WHERE games >= $least
ORDER BY game, variant, players, seat, player, games DESC, opening
