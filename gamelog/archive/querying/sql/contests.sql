-- Contests against their odds
-- Do attackers win as often as the exact odds say?
-- One row for each number of dice on the two sides. Undone contests count too. games is the number of games with such contests.
-- expected is the mean of the exact odds, and rate is the share that the attackers won. low and high are Wilson's 95 % interval of
-- rate. p is the two-sided probability of such a difference. It is exact if all odds in the row are equal, and comes from the
-- normal approximation otherwise. It is NULL if that approximation does not hold. p_all is p times the number of tests in this
-- answer (Bonferroni).
-- @groups
WITH totals AS (
  SELECT game, variant, len(attack) AS attack, len(defence) AS defence, count(*) AS contests, count(DISTINCT id) AS games, count(*) FILTER (contests.won) AS won,
    avg(odds) AS expected, min(odds) AS min_odds, max(odds) AS max_odds, sum(odds * (1 - odds)) AS variance
  FROM $counted_games JOIN contests USING (id)
  GROUP BY game, variant, len(attack), len(defence)
), with_p AS (
  SELECT *, CASE WHEN min_odds = max_odds THEN binomial_p(won, contests, min_odds) ELSE normal_p(won - expected * contests, variance) END AS p
  FROM totals
)
SELECT game, variant, attack, defence, contests, won, expected, won / contests AS rate,
  wilson_low(won, contests) AS low, wilson_high(won, contests) AS high, games, p, bonferroni(p, count(p) OVER ()) AS p_all
FROM with_p
ORDER BY game, variant, attack, defence
