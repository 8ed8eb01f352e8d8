-- Luck in contests
-- Who won more contests than the odds gave, attacking and defending? Only contests that stand.
-- expected is the sum of the chances before each roll, luck what was won beyond it; z is luck in standard deviations, p the
-- two-sided probability of so much luck, good or bad, by the normal approximation.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
-- $by VARCHAR = player: whose luck: player or seat
WITH sides AS (
  SELECT game, id, contests.seat, contests.won, odds FROM chosen($game, $uncounted) JOIN contests USING (id) WHERE stands
  UNION ALL
  SELECT game, id, against, NOT contests.won, 1 - odds FROM chosen($game, $uncounted) JOIN contests USING (id)
  WHERE stands AND against IS NOT NULL
), tally AS (
  SELECT game, CASE $by WHEN 'seat' THEN sides.seat ELSE player END AS who, count(*) AS contests,
    count(*) FILTER (sides.won) AS won, sum(odds) AS expected, sum(odds * (1 - odds)) AS variance
  FROM sides LEFT JOIN seats USING (id, seat)
  GROUP BY game, who
)
SELECT game, who, contests, won, expected, won - expected AS luck,
  CASE WHEN variance > 0 THEN (won - expected) / sqrt(variance) END AS z,
  CASE WHEN variance > 0 THEN chi2_p((won - expected) ** 2 / variance, 1) END AS p
FROM tally
ORDER BY game, z DESC NULLS LAST, who
