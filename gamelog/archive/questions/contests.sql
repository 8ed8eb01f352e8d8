-- Contests against their odds
-- Do attackers win as often as the exact odds say? One row for each number of dice on the two sides. Undone contests count too.
-- expected is the mean of the exact odds, rate what happened, low and high Wilson's 95 % interval of it. p is the two-sided
-- probability of such a difference: exact where all odds in the row are the same, else by the normal approximation, and NULL where
-- that does not hold. p_all is p times the number of tests in this answer (Bonferroni).
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH tally AS (
  SELECT game, len(attack) AS attack, len(defence) AS defence, count(*) AS contests, count(*) FILTER (contests.won) AS won,
    avg(odds) AS expected, min(odds) AS least, max(odds) AS most, sum(odds * (1 - odds)) AS variance
  FROM chosen($game, $since, $until, $players, $who, $uncounted) JOIN contests USING (id)
  GROUP BY game, len(attack), len(defence)
), tested AS (
  SELECT *, CASE WHEN least = most THEN binomial_p(won, contests, least) ELSE normal_p(won - expected * contests, variance) END AS p
  FROM tally
)
SELECT game, attack, defence, contests, won, expected, won / contests AS rate,
  wilson_low(won, contests) AS low, wilson_high(won, contests) AS high, p, of_many(p, count(p) OVER ()) AS p_all
FROM tested
ORDER BY game, attack, defence
