-- Places and payoffs by seat
-- In which place does each seat end, and with what payoff?
-- Only games whose outcome gives places or payoffs and whose result came by play are used. place_mean and payoff_mean are means.
-- place_error and payoff_error are their standard errors, NULL for fewer than two games. first and last are how often the seat
-- came first and last, ties counted for each seat, and NULL if no outcome gives places. teams is how many of the games were played
-- in teams.
-- @games played
-- @groups
WITH results AS (
  SELECT game, variant, players, id, seat, position, place, payoff, team,
    min(place) OVER (PARTITION BY id) AS best, max(place) OVER (PARTITION BY id) AS worst
  FROM $played JOIN seats USING (id)
  WHERE place IS NOT NULL OR payoff IS NOT NULL
)
SELECT game, variant, players, seat, any_value(position) AS position, count(*) AS games, avg(place) AS place_mean,
  stddev_samp(place) / sqrt(count(place)) AS place_error, if(count(place) > 0, count(*) FILTER (place = best), NULL) AS first,
  if(count(place) > 0, count(*) FILTER (place = worst), NULL) AS last, avg(payoff) AS payoff_mean,
  stddev_samp(payoff) / sqrt(count(payoff)) AS payoff_error, count(team) AS teams
FROM results
GROUP BY game, variant, players, seat
ORDER BY game, variant, players, position, seat
