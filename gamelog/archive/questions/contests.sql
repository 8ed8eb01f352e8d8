-- Contests against their odds
-- Do attackers win as often as the exact odds say? One row for each number of dice on the two sides.
-- expected is the mean of the exact odds, rate what happened, low and high Wilson's 95 % interval of it. p is the two-sided
-- probability of such a difference: exact where all odds in the row are the same, else by the normal approximation.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH tally AS (
  SELECT game, len(attack) AS attack, len(defence) AS defence, count(*) AS contests, count(*) FILTER (contests.won) AS won,
    avg(odds) AS expected, min(odds) AS least, max(odds) AS most, sum(odds * (1 - odds)) AS variance
  FROM chosen($game, $uncounted) JOIN contests USING (id)
  GROUP BY game, len(attack), len(defence)
)
SELECT game, attack, defence, contests, won, expected, won / contests AS rate,
  wilson_low(won, contests) AS low, wilson_high(won, contests) AS high,
  CASE WHEN least = most THEN binomial_p(won, contests, least)
    WHEN variance > 0 THEN chi2_p((won - expected * contests) ** 2 / variance, 1) END AS p
FROM tally
ORDER BY game, attack, defence
