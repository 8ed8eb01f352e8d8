-- Games of the league
-- Which games count in the league, with what result and how many points?
-- One row for each game. people, places and points are in the order of the places. result is the origin of the result: play,
-- resignation, agreement, ruling or walkover, or result or forfeit if the organiser decided. reason is the organiser's reason. A game
-- without a record has the id of its correction, and no game and path. A person is NULL if the result counts for no one.
-- @table day, round, people, points, result
-- $as_of DATE = NULL: only games of this day and earlier days
SELECT any_value(round) AS round, any_value(day) AS day, id, any_value(game) AS game, list(player ORDER BY place, player) AS people,
  list(place ORDER BY place, player) AS places, list(round(points, 6) ORDER BY place, player) AS points, any_value(result) AS result, any_value(reason) AS reason,
  any_value(path) AS path
FROM settled.league_results($as_of)
GROUP BY id
ORDER BY day, any_value(started), id
