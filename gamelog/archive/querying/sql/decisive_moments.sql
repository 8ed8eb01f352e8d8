-- Decisive moments
-- Which moments, kinds of events, places or turns decide games?
-- Only games with an analysis are used (gamelog analyse). The rows are about their turning points, which playouts confirmed. With
-- by=moment, each row is one turning point, the largest first. With by=kind, by=place or by=turn, a row is about all turning points at
-- events of one kind, at one place of the board, or in one turn; part is their part of all turning points of the game, games the number of
-- games with one, and by_luck the part that rolls caused. size is the largest change of a chance, mean_size the mean. id, n, player and
-- cause are of the largest. These rows need 20 analysed games of the game: fewer would only show the chances of a few evenings.
-- @groups
-- $by moment|kind|place|turn = moment: one row for each turning point, kind of event, place or turn
-- $most INTEGER = 20: number of rows
WITH analysed AS (
  SELECT g.*, count(*) OVER (PARTITION BY variant, g.game) AS analysed_games
  FROM $counted_games AS g JOIN analyses ON analyses.id = g.id WHERE used AND playouts > 0
), places AS (
  SELECT id, n, min(place) AS place FROM (SELECT id, n, place FROM contests UNION ALL SELECT id, n, place FROM facts) WHERE place IS NOT NULL GROUP BY id, n
), moments AS (
  SELECT game, variant, g.id, started, swings.n, kind, turn, place, swings.seat, player, abs(change) AS size, change, cause
  FROM analysed AS g JOIN swings ON swings.id = g.id LEFT JOIN events ON events.id = swings.id AND events.n = swings.n
    LEFT JOIN places ON places.id = swings.id AND places.n = swings.n
    LEFT JOIN sittings ON sittings.id = swings.id AND sittings.seat = swings.seat AND swings.n >= from_n AND swings.n <= coalesce(to_n, swings.n)
  WHERE $by = 'moment' OR analysed_games >= min_games()
), named AS (
  SELECT *, CASE $by WHEN 'place' THEN place WHEN 'turn' THEN 'turn ' || turn ELSE kind END AS what,
    CASE WHEN $by = 'moment' THEN id || ' ' || n END AS moment, count(*) OVER (PARTITION BY variant, game) AS all_moments
  FROM moments
)
SELECT game, variant, what, count(*) AS moments, count(*) / any_value(all_moments) AS part, count(DISTINCT id) AS games, avg((cause = 'luck')::INTEGER) AS by_luck,
  avg(size) AS mean_size, max(size) AS size, arg_min(id, (-size, id, n)) AS id, arg_min(n, (-size, id, n)) AS n, arg_min(player, (-size, id, n)) AS player,
  arg_min(change, (-size, id, n)) AS change, arg_min(cause, (-size, id, n)) AS cause
FROM named WHERE what IS NOT NULL
GROUP BY game, variant, what, moment
ORDER BY moments DESC, size DESC, game, variant, what, id, n
LIMIT $most
