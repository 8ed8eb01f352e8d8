-- Luck in contests
-- Who won more contests than the odds gave, attacking and defending? Only contests that stand.
-- expected is the sum of the chances before each roll, luck what was won beyond it; z is luck in standard deviations, p the
-- two-sided probability of so much luck, good or bad, by the normal approximation, and NULL where that does not hold. p_all is p
-- times the number of tests in this answer (Bonferroni).
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
-- $by VARCHAR = player: whose luck: player or seat
WITH sides AS (
  SELECT game, id, contests.seat, contests.won, odds FROM chosen($game, $since, $until, $players, $who, $uncounted) JOIN contests USING (id) WHERE stands
  UNION ALL
  SELECT game, id, against, NOT contests.won, 1 - odds FROM chosen($game, $since, $until, $players, $who, $uncounted) JOIN contests USING (id)
  WHERE stands AND against IS NOT NULL
), tally AS (
  SELECT game, CASE $by WHEN 'seat' THEN sides.seat WHEN 'player' THEN player ELSE error('by is player or seat') END AS who,
    count(*) AS contests, count(*) FILTER (sides.won) AS won, sum(odds) AS expected, sum(odds * (1 - odds)) AS variance
  FROM sides LEFT JOIN seats USING (id, seat)
  GROUP BY game, who
), tested AS (
  SELECT *, won - expected AS luck, normal_p(luck, variance) AS p FROM tally
)
SELECT game, who, contests, won, expected, luck, CASE WHEN variance > 0 THEN luck / sqrt(variance) END AS z, p,
  of_many(p, count(p) OVER ()) AS p_all
FROM tested
ORDER BY game, z DESC NULLS LAST, who
