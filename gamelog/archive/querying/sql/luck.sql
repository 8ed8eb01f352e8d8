-- Luck in contests
-- Who won more contests than the odds gave, attacking and defending?
-- Undone contests and contests of a player against themselves are left out. expected is the sum of the chances before each roll.
-- luck is the number of wins above it, and z is luck in standard deviations. games is the number of games with these contests. p
-- is the two-sided probability of luck this far from zero, by the normal approximation. It is NULL if that approximation does not
-- hold. p_all is p times the number of tests in this answer (Bonferroni).
-- @groups
-- $by player|seat = player: one row for each player or for each seat
WITH people_by_contest AS (
  SELECT game, variant, chosen_games.id, against, contests.won, odds,
    CASE $by WHEN 'seat' THEN contests.seat ELSE attacker.player END AS who,
    CASE $by WHEN 'seat' THEN contests.against ELSE defender.player END AS opponent
  FROM $counted_games AS chosen_games JOIN contests ON contests.id = chosen_games.id
    LEFT JOIN sittings AS attacker ON attacker.id = chosen_games.id AND attacker.seat = contests.seat AND n >= attacker.from_n AND n <= coalesce(attacker.to_n, n)
    LEFT JOIN sittings AS defender ON defender.id = chosen_games.id AND defender.seat = contests.against
      AND n >= defender.from_n AND n <= coalesce(defender.to_n, n)
  WHERE stands
), results AS (
  SELECT game, variant, id, who, won, odds FROM people_by_contest WHERE against IS NULL OR who IS DISTINCT FROM opponent
  UNION ALL
  SELECT game, variant, id, opponent, NOT won, 1 - odds FROM people_by_contest WHERE against IS NOT NULL AND who IS DISTINCT FROM opponent
), totals AS (
  SELECT game, variant, who, count(*) AS contests, count(DISTINCT id) AS games, count(*) FILTER (won) AS won, sum(odds) AS expected, sum(odds * (1 - odds)) AS variance
  FROM results
  GROUP BY game, variant, who
), with_p AS (
  SELECT *, won - expected AS luck, normal_p(luck, variance) AS p FROM totals
)
SELECT game, variant, who, contests, won, expected, luck, CASE WHEN variance > 0 THEN luck / sqrt(variance) END AS z, games, p,
  bonferroni(p, count(p) OVER ()) AS p_all
FROM with_p
ORDER BY game, variant, z DESC NULLS LAST, who
