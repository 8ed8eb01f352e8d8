-- Luck in contests
-- Who won more contests than the odds gave, attacking and defending?
-- Undone contests and contests of a player against themselves are left out. expected is the sum of the chances before each roll.
-- luck is the number of wins above it, and z is luck in standard deviations. p is the two-sided probability of luck this far from
-- zero, by the normal approximation. It is NULL if that approximation does not hold. p_all is p times the number of tests in this
-- answer (Bonferroni).
-- $by player|seat = player: one row for each player or for each seat
WITH fought AS (
  SELECT game, variant, against, contests.won, odds,
    CASE $by WHEN 'seat' THEN contests.seat ELSE one.player END AS who,
    CASE $by WHEN 'seat' THEN contests.against ELSE other.player END AS whom
  FROM $counted_games AS g JOIN contests ON contests.id = g.id
    LEFT JOIN sittings AS one ON one.id = g.id AND one.seat = contests.seat AND n >= one.from_n AND n <= coalesce(one.to_n, n)
    LEFT JOIN sittings AS other ON other.id = g.id AND other.seat = contests.against
      AND n >= other.from_n AND n <= coalesce(other.to_n, n)
  WHERE stands
), sides AS (
  SELECT game, variant, who, won, odds FROM fought WHERE against IS NULL OR who IS DISTINCT FROM whom
  UNION ALL
  SELECT game, variant, whom, NOT won, 1 - odds FROM fought WHERE against IS NOT NULL AND who IS DISTINCT FROM whom
), tally AS (
  SELECT game, variant, who, count(*) AS contests, count(*) FILTER (won) AS won, sum(odds) AS expected, sum(odds * (1 - odds)) AS variance
  FROM sides
  GROUP BY game, variant, who
), tested AS (
  SELECT *, won - expected AS luck, normal_p(luck, variance) AS p FROM tally
)
SELECT game, variant, who, contests, won, expected, luck, CASE WHEN variance > 0 THEN luck / sqrt(variance) END AS z, p,
  bonferroni(p, count(p) OVER ()) AS p_all
FROM tested
ORDER BY game, variant, z DESC NULLS LAST, who
