-- Standings of the league
-- In which order do the people of the league stand, with how many points, and by which tie-breaks?
-- rank is equal for people whom no tie-break of the league separates. Every tie-break has a column, also those that the league does
-- not use. head_to_head is the number of points in the games among the people who are equal by points and all earlier tie-breaks, and
-- NULL if no one is equal. sonneborn_berger adds the points of all beaten opponents and half the points of equal ones. buchholz adds
-- the points of all opponents. difference adds the distances of the own score to the mean score of the others. per_game is points for
-- each game. forfeits is the number of walkovers that the person lost; fewer are better.
-- @table rank, player, points, games, wins, draws, losses
-- $as_of DATE = NULL: the table after the games of this day
SELECT rank, player, points, games, wins, draws, losses, head_to_head, sonneborn_berger, buchholz, difference, score, per_game, forfeits
FROM league_table($as_of)
ORDER BY rank, player, person
