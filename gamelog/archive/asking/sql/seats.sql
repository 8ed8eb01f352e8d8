-- Advantage of the seat
-- How often does each seat win, beyond what the strengths of those who sat there account for, and could that be chance?
-- share is the mean part of the victory over all games whose result the players made (no walkovers and rulings); decided are the games
-- with one winner, won those that this seat won, low and high Wilson's 95 % interval of that. expected is how many of them those who sat
-- there would have won if seats made no difference, by their strengths as the question players rates them, corrected for what these
-- games tell of seat and strength alike. p is the two-sided probability of so many or so few by chance: exact where everybody met
-- themselves only (one bot at all seats), else by the normal approximation, with what is uncertain about the strengths. Games in which
-- somebody is not named tell nothing of that. Where games are too few, or the same players sat at the same seats too often, p and expected are
-- NULL and withheld says why. p_all is p times the number of tests in this answer (Bonferroni): below 0.05 is hardly chance, however
-- many were looked at.
WITH tally AS (
  SELECT game, variant, players, seat, any_value(position) AS position, count(*) AS games, avg(share) AS share,
    count(*) FILTER (len(winners) = 1) AS decided, count(*) FILTER (len(winners) = 1 AND won) AS won
  FROM $played JOIN seats USING (id)
  GROUP BY game, variant, players, seat
), tested AS (
  SELECT tally.*, effects.expected * decided / compared AS expected,
    wilson_low(tally.won, decided) AS low, wilson_high(tally.won, decided) AS high,
    seat_p(effects.won, compared, tally.players, effects.expected, variance, alike) AS p,
    seat_why(p, decided, compared, variance, whole, 'sat there') AS withheld,
    CASE WHEN p IS NULL THEN 0 WHEN tally.players = 2 THEN 0.5 ELSE 1 END AS tests -- of two, one wins when the other loses
  FROM tally LEFT JOIN $seat_effects(false) AS effects
    ON effects.game = tally.game AND effects.players = tally.players AND effects.place = tally.seat
      AND effects.variant IS NOT DISTINCT FROM tally.variant
)
SELECT * EXCLUDE (tests) REPLACE (CASE WHEN p IS NOT NULL THEN expected END AS expected), bonferroni(p, sum(tests) OVER ()) AS p_all
FROM tested
ORDER BY game, variant, players, position, seat
