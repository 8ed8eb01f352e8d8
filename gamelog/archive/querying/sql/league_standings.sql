-- Standings of the league
-- In which order do the people of the league stand, with how many points, and by which tie-breaks?
-- rank is equal for people whom no tie-break of the league separates. Every tie-break has a column, also those that the league does
-- not use. head_to_head is the number of points in the games among the people who are equal by points and all earlier tie-breaks, and
-- NULL if no one is equal. sonneborn_berger adds the points of all beaten opponents and half the points of equal ones. buchholz adds
-- the points of all opponents. difference adds the distances of the own score to the mean score of the others. per_game is points for
-- each game. forfeits is the number of walkovers that the person lost; fewer are better. The last columns change no rank: analysed is the
-- number of games with an analysis, share the mean share of the victory in them, and adjusted the same less luck, as in the question
-- adjusted. adjusted is NULL for fewer than 20 analysed games.
-- @table rank, player, points, games, wins, draws, losses
-- $as_of DATE = NULL: the table after the games of this day
WITH analysed AS (
  SELECT person, count(DISTINCT results.id) AS analysed, sum(adjusted_results.result * credit) / sum(credit) AS share,
    sum(adjusted * credit) / sum(credit) AS adjusted
  FROM settled.league_results($as_of) AS results JOIN settled.adjusted_results AS adjusted_results
    ON adjusted_results.id = results.id AND adjusted_results.seat = results.seat
  WHERE made_by_play(results.result)
  GROUP BY person
)
SELECT rank, player, points, games, wins, draws, losses, head_to_head, sonneborn_berger, buchholz, difference, score, per_game, forfeits,
  coalesce(analysed, 0) AS analysed, share, CASE WHEN analysed >= min_games() THEN adjusted END AS adjusted
FROM settled.league_table($as_of) AS standings LEFT JOIN analysed ON analysed.person = standings.person
ORDER BY rank, player, standings.person
