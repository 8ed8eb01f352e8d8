-- Advantage of the seat
-- How often does each seat win, compared with the strengths of the players who sat there, and could the difference be chance?
-- share is the mean part of the victory over all games with a result by play. Walkovers and games ended by a ruling are left out.
-- decided is the number of games with one winner, and won is how many of them this seat won. low and high are Wilson's 95 %
-- interval of that share. expected is how many games the players at that seat would have won if the seats made no difference. It
-- follows from their strengths, which the question players rates, corrected for what these games show of seat and strength
-- together. p is the two-sided probability that chance gives a difference this large. It is exact if each game had one bot at all
-- seats, and comes from the normal approximation otherwise, with the uncertainty of the strengths. Games with a player without a
-- name are left out of expected and p. If the games cannot show an effect, p and expected are NULL and withheld says why. needed is
-- about the number of such games for a test. p_all is p times the number of tests in this answer (Bonferroni). A p_all below 0.05
-- is hardly chance, however many rows the answer has.
-- @games played
-- @groups
-- @table game, variant, players, seat, games, decided, won, interval = low–high, expected, p, p_all, effect not tested = withheld
WITH totals AS (
  SELECT game, variant, players, seat, any_value(position) AS position, count(*) AS games, avg(share) AS share,
    count(*) FILTER (len(winners) = 1) AS decided, count(*) FILTER (len(winners) = 1 AND won) AS won
  FROM $played JOIN seats USING (id)
  GROUP BY game, variant, players, seat
), with_p AS (
  SELECT totals.*, effects.expected * decided / compared AS expected,
    wilson_low(totals.won, decided) AS low, wilson_high(totals.won, decided) AS high,
    seat_p(effects.won, compared, totals.players, effects.expected, variance, alike) AS p,
    max(seat_needed(compared, variance)) OVER (PARTITION BY totals.game, totals.variant, totals.players) AS needed,
    seat_why(p, decided, compared, variance, whole, 'sat there', needed) AS withheld,
    CASE WHEN p IS NULL THEN 0 WHEN totals.players = 2 THEN 0.5 ELSE 1 END AS tests -- with two seats, one test decides both
  FROM totals LEFT JOIN $seat_effects(false) AS effects
    ON effects.game = totals.game AND effects.players = totals.players AND effects.place = totals.seat
      AND effects.variant IS NOT DISTINCT FROM totals.variant
)
SELECT * EXCLUDE (tests) REPLACE (CASE WHEN p IS NOT NULL THEN expected END AS expected), bonferroni(p, sum(tests) OVER ()) AS p_all
FROM with_p
ORDER BY game, variant, players, position, seat
