-- Advantage of the seat
-- How often does each seat win, and could that be chance? Games with one winner; share counts every finished game.
-- The interval is Wilson's at 95 %, p is the exact two-sided probability if all seats were equal.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count
SELECT game, players, seat, any_value(position) AS position,
  count(*) AS games,
  sum(share) AS victories,
  avg(share) AS share,
  count(*) FILTER (len(winners) = 1) AS decided,
  count(*) FILTER (len(winners) = 1 AND won) AS won,
  wilson_low(count(*) FILTER (len(winners) = 1 AND won), count(*) FILTER (len(winners) = 1)) AS low,
  wilson_high(count(*) FILTER (len(winners) = 1 AND won), count(*) FILTER (len(winners) = 1)) AS high,
  binomial_p(count(*) FILTER (len(winners) = 1 AND won), count(*) FILTER (len(winners) = 1), 1.0 / players) AS p
FROM chosen($game, $uncounted) JOIN seats USING (id)
WHERE finished
GROUP BY game, players, seat
ORDER BY game, players, position, seat
