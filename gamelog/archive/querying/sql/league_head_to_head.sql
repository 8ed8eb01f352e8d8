-- Head to head in the league
-- In which games did two people of the league meet, and how did each game end?
-- One row for each game of a pair, from the view of each of the two. The places are those in the whole game.
-- @table day, player, against, place, against_place, points
-- $player VARCHAR = NULL: only games of this person
-- $against VARCHAR = NULL: only games against this person
-- $as_of DATE = NULL: only games of this day and earlier days
WITH results AS (FROM settled.league_results($as_of))
SELECT results.player, against.player AS against, results.day, results.round, results.id, results.game, results.seat, results.place,
  against.place AS against_place, round(results.points, 6) AS points, round(against.points, 6) AS against_points, results.result
FROM results JOIN results AS against ON against.id = results.id AND against.person <> results.person AND coalesce(against.seat <> results.seat, true)
WHERE ($player IS NULL OR results.player = $player) AND ($against IS NULL OR against.player = $against)
ORDER BY results.player, against.player, results.person, against.person, results.started, results.id, results.seat, against.seat
