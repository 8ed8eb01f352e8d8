-- Advantage of the turn order
-- Does it help to go first, beyond what those who did account for? Seats are numbered by whose first turn came first.
-- share is the mean part of the victory over all games whose result the players made (no walkovers and rulings); decided are the games with one winner, won those that this
-- place won, low and high Wilson's 95 % interval of that. expected is how many of them whoever had that place would have won in any:
-- games are compared only where equal strengths meet (bots by name; people who finished 20 games and had several places by their rating, in
-- steps of 100 points; others by who they are), and places may be exchanged only among these. p is the two-sided probability of so
-- many or so few by chance: exact where all are equally strong, else by Cochran, Mantel and Haenszel's test with its correction for
-- continuity. Where the same had the same places too often to tell, p is NULL and withheld says why, how many games tell anything and how many would. p_all is p times the number
-- of tests in this answer (Bonferroni): below 0.05 is hardly chance, however many were looked at.
WITH seated AS (
  FROM $seatings(true)
), tally AS (
  SELECT game, variant, players, place::INTEGER AS turn_order, count(*) AS games, avg(share) AS share,
    count(*) FILTER (decided) AS decided, count(*) FILTER (decided AND won) AS won
  FROM seated
  WHERE place IS NOT NULL
  GROUP BY game, variant, players, turn_order
), tested AS (
  SELECT tally.*, expected, wilson_low(won, decided) AS low, wilson_high(won, decided) AS high,
    stratified_p(won, decided, tally.players, expected, variance, alike, stride) AS p,
    stratified_why(p, decided, moved, variance, 'went') AS withheld,
    CASE WHEN p IS NULL THEN 0 WHEN tally.players = 2 THEN 0.5 ELSE 1 END AS tests -- of two, one wins when the other loses
  FROM tally LEFT JOIN $stratified(true) AS strata
    ON strata.game = tally.game AND strata.players = tally.players AND strata.place = tally.turn_order::VARCHAR
      AND strata.variant IS NOT DISTINCT FROM tally.variant
)
SELECT * EXCLUDE (tests), bonferroni(p, sum(tests) OVER ()) AS p_all
FROM tested
ORDER BY game, variant, players, turn_order
