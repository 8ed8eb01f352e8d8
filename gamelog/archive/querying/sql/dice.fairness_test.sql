-- Fairness of the dice
-- Does every face fall equally often?
-- Dice of undone events count too, because they were thrown. counts is the number of times each face fell, from 1 up. Compare
-- mean with expected. games is the number of games with such dice. chi2 measures the distance from equal shares. p is the
-- probability that fair dice are as far from equal shares, or further. It is exact for two sides and comes from chi-square for
-- more. It is NULL if fewer than 5 of each face are expected. p_all is p times the number of tests in this answer (Bonferroni). A
-- p above 0.999 is as strange as one below 0.001: invented faces are often too even.
-- @groups
-- $by VARCHAR = source: one row for each source, game, seat or player, or for each value of a tag, for example scorer
WITH thrown_faces AS (
  SELECT variant,
    CASE $by WHEN 'source' THEN dice WHEN 'game' THEN game WHEN 'seat' THEN rolls.seat WHEN 'player' THEN player
      ELSE tags->>$by END AS thrower,
    sides, g.id, unnest(faces) AS face
  FROM $counted_games AS g JOIN rolls ON rolls.id = g.id
    LEFT JOIN sittings ON sittings.id = rolls.id AND sittings.seat = rolls.seat AND n >= from_n AND n <= coalesce(to_n, n)
), face_times AS (
  SELECT variant, thrower, sides, count(*) AS dice, count(DISTINCT id) AS games, avg(face) AS mean, histogram(face) AS times FROM thrown_faces GROUP BY variant, thrower, sides
), face_counts AS (
  SELECT *, list_transform(range(1, sides + 1), lambda face: coalesce(times[face], 0)::BIGINT) AS counts FROM face_times
), with_chi2 AS (
  SELECT *, list_sum(list_transform(counts, lambda n: (n - dice / sides) ** 2)) * sides / dice AS chi2 FROM face_counts
), with_p AS (
  SELECT *, CASE WHEN sides = 2 THEN binomial_p(counts[1], dice, 0.5) WHEN dice >= 5 * sides THEN chi2_p(chi2, sides - 1) END AS p
  FROM with_chi2
)
SELECT variant, thrower, sides, dice, mean, (sides + 1) / 2 AS expected, counts, games, chi2, p, bonferroni(p, count(p) OVER ()) AS p_all
FROM with_p
ORDER BY variant, thrower, sides
