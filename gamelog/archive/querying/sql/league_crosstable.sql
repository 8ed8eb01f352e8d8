-- Crosstable of the league
-- With what results did each two people of the league play each other?
-- One row for each person and each opponent, in the order of the standings. games is the number of games that both played. wins, draws
-- and losses compare the places of the two. points and against_points are all points of the two in these games.
-- @table player, against, games, wins, draws, losses
-- $as_of DATE = NULL: only games of this day and earlier days
WITH results AS (FROM settled.league_results($as_of)), standings AS (FROM settled.league_table($as_of))
SELECT own.rank, own.player, other.rank AS against_rank, other.player AS against, count(DISTINCT results.id) AS games,
  round(coalesce(sum(results.credit * against.credit) FILTER (results.place < against.place), 0), 6) AS wins,
  round(coalesce(sum(results.credit * against.credit) FILTER (results.place = against.place), 0), 6) AS draws,
  round(coalesce(sum(results.credit * against.credit) FILTER (results.place > against.place), 0), 6) AS losses,
  round(sum(results.points * against.credit), 6) AS points, round(sum(against.points * results.credit), 6) AS against_points
FROM results JOIN results AS against ON against.id = results.id AND against.person <> results.person AND coalesce(against.seat <> results.seat, true)
  JOIN standings AS own ON own.person = results.person JOIN standings AS other ON other.person = against.person
GROUP BY own.rank, own.player, own.person, other.rank, other.player, other.person
ORDER BY own.rank, own.player, own.person, other.rank, other.player, other.person
