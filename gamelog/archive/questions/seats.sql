-- Advantage of the seat
-- How often does each seat win, and could that be chance?
-- share is the mean part of the victory over all finished games; won counts the games with one winner (decided) that the seat
-- won, low and high are Wilson's 95 % interval of that, and p is the exact two-sided probability of it if all seats were equal.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH tally AS (
  SELECT game, players, seat, any_value(position) AS position, count(*) AS games, avg(share) AS share,
    count(*) FILTER (len(winners) = 1) AS decided, count(*) FILTER (len(winners) = 1 AND won) AS won
  FROM chosen($game, $uncounted) JOIN seats USING (id)
  WHERE finished
  GROUP BY game, players, seat
)
SELECT *, wilson_low(won, decided) AS low, wilson_high(won, decided) AS high, binomial_p(won, decided, 1.0 / players) AS p
FROM tally
ORDER BY game, players, position, seat
