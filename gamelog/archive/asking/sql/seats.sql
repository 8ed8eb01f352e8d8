-- Advantage of the seat
-- How often does each seat win, beyond what those who sat there account for, and could that be chance?
-- share is the mean part of the victory over all games whose result the players made (no walkovers and rulings); decided are the games with one winner, won those that this
-- seat won, low and high Wilson's 95 % interval of that. expected is how many of them whoever sat there would have won in any seat:
-- games are compared only where equal strengths meet (bots by name; people who finished 20 games and sat around by their rating, in
-- steps of 100 points; others by who they are), and seats may be exchanged only among these. p is the two-sided probability of so
-- many or so few by chance: exact where all are equally strong, else by Cochran, Mantel and Haenszel's test with its correction for
-- continuity. Where the same sat at the same seats too often to tell, p is NULL and withheld says why, how many games tell anything and how many would. p_all is p times the number
-- of tests in this answer (Bonferroni): below 0.05 is hardly chance, however many were looked at.
WITH seated AS (
  FROM $seatings(false)
), tally AS (
  SELECT game, variant, players, place AS seat, any_value(position) AS position, count(*) AS games, avg(share) AS share,
    count(*) FILTER (decided) AS decided, count(*) FILTER (decided AND won) AS won
  FROM seated
  GROUP BY game, variant, players, seat
), tested AS (
  SELECT tally.*, expected, wilson_low(won, decided) AS low, wilson_high(won, decided) AS high,
    stratified_p(won, decided, tally.players, expected, variance, alike, stride) AS p,
    stratified_why(p, decided, moved, variance, 'sat') AS withheld,
    CASE WHEN p IS NULL THEN 0 WHEN tally.players = 2 THEN 0.5 ELSE 1 END AS tests -- of two, one wins when the other loses
  FROM tally LEFT JOIN $stratified(false) AS strata
    ON strata.game = tally.game AND strata.players = tally.players AND strata.place = tally.seat
      AND strata.variant IS NOT DISTINCT FROM tally.variant
)
SELECT * EXCLUDE (tests), bonferroni(p, sum(tests) OVER ()) AS p_all
FROM tested
ORDER BY game, variant, players, position, seat
