-- Results less luck
-- How would the results of each player be without the luck of the rolls?
-- One row for each player and game. Only games with an analysis and a result by play are used (gamelog analyse), in which ten or more games
-- of the same rules, options, board and seats have an analysis. games is the number of these games, and result the mean share of the
-- victory in them. adjusted is the mean of the same results less luck, and margin half of its 95 % interval. Both means estimate the same
-- strength in this company of rivals, and adjusted varies less if luck is large. adjusted is NULL for fewer than 20 games. It can be below
-- 0 or above 1. Luck is measured with the numbers that the other games give, so it favours no one.
-- @games played
-- @groups
-- $credit none|starter|finisher|share = none: who gets the result if several people decided something at one seat: no one (none), the first person (starter), the last person (finisher), or each in part (share)
WITH results AS (
  SELECT game, variant, player, g.id, adjusted_results.result, adjusted, seats.credit
  FROM $played AS g JOIN settled.adjusted_results AS adjusted_results ON adjusted_results.id = g.id
    JOIN $credited AS seats ON seats.id = g.id AND seats.seat = adjusted_results.seat
  WHERE player IS NOT NULL
), totals AS (
  SELECT game, variant, player, count(DISTINCT id) AS games, sum(result * credit) / sum(credit) AS result, sum(adjusted * credit) / sum(credit) AS mean,
    1.959963984540054 * stddev_samp(adjusted) / sqrt(count(*)) AS spread
  FROM results GROUP BY game, variant, player
)
SELECT game, variant, player, games, result, CASE WHEN games >= min_games() THEN mean END AS adjusted, CASE WHEN games >= min_games() THEN spread END AS margin
FROM totals
ORDER BY game, variant, adjusted DESC NULLS LAST, result DESC, player
