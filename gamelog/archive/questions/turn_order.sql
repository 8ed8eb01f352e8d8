-- Advantage of the turn order
-- Does it help to go first? Seats are numbered by whose first turn came first.
-- share is the mean part of the victory over all finished games; decided are the games with one winner, won those that this
-- place won, low and high Wilson's 95 % interval of that, p the exact two-sided probability of it if all places were equal.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH tally AS (
  SELECT game, players, turn_order, count(*) AS games, avg(share) AS share,
    count(*) FILTER (len(winners) = 1) AS decided, count(*) FILTER (len(winners) = 1 AND won) AS won
  FROM chosen($game, $uncounted) JOIN seats USING (id)
  WHERE finished AND turn_order IS NOT NULL
  GROUP BY game, players, turn_order
)
SELECT *, wilson_low(won, decided) AS low, wilson_high(won, decided) AS high, binomial_p(won, decided, 1.0 / players) AS p
FROM tally
ORDER BY game, players, turn_order
