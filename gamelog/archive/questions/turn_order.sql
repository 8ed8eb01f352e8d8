-- Advantage of the turn order
-- Does it help to go first? Seats are numbered by whose first turn came first.
-- share is the mean part of the victory over all finished games; decided are the games with one winner, won those that this
-- place won, low and high Wilson's 95 % interval of that, p the exact two-sided probability of it if all were equal. p_all is p
-- times the number of tests in this answer (Bonferroni): below 0.05 is hardly chance, however many were looked at.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH tally AS (
  SELECT game, players, turn_order, count(*) AS games, avg(share) AS share,
    count(*) FILTER (len(winners) = 1) AS decided, count(*) FILTER (len(winners) = 1 AND won) AS won
  FROM chosen($game, $since, $until, $players, $who, $uncounted) JOIN seats USING (id)
  WHERE finished AND turn_order IS NOT NULL
  GROUP BY game, players, turn_order
), tested AS (
  SELECT *, wilson_low(won, decided) AS low, wilson_high(won, decided) AS high, binomial_p(won, decided, 1.0 / players) AS p,
    CASE WHEN p IS NULL THEN 0 WHEN players = 2 THEN 0.5 ELSE 1 END AS tests -- of two, one wins when the other loses
  FROM tally
)
SELECT * EXCLUDE (tests), of_many(p, sum(tests) OVER ()) AS p_all
FROM tested
ORDER BY game, players, turn_order
