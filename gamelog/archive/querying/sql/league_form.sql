-- Form in the league
-- How did each person of the league play in their last games?
-- form has a letter for each game, the latest last: W for a win, D for a draw, L for a loss. places has the places in these games.
-- @table rank, player, form, points
-- $most INTEGER = 5: number of games
-- $as_of DATE = NULL: only games of this day and earlier days
WITH last_games AS (
  FROM settled.league_results($as_of) WHERE person IS NOT NULL QUALIFY row_number() OVER (PARTITION BY person ORDER BY started DESC, id DESC, seat DESC) <= $most
)
SELECT standings.rank, standings.player, count(*) AS games,
  string_agg(CASE WHEN won THEN 'W' WHEN drawn THEN 'D' ELSE 'L' END, '' ORDER BY started, id, seat) AS form,
  list(place ORDER BY started, id, seat) AS places, round(sum(last_games.points), 6) AS points
FROM last_games JOIN settled.league_table($as_of) AS standings USING (person)
GROUP BY standings.rank, standings.player, person
ORDER BY standings.rank, standings.player, person
