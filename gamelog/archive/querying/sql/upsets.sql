-- The greatest upsets
-- Which victories were the least likely by the ratings before the game?
-- The answer has games with one winner, the least likely victory first. chance is the chance of the winner by the strengths before
-- the day (UTC) of the game, so no later game and no game of the same day is in it. Uncertain ratings count as nearly equal: the
-- chance of a new player is near that of an average player. rating and margin are of the winner before that day. favourite is the
-- strongest of the others, favourite_rating their rating. Ratings are NULL on the first day of a player. even is the chance among
-- equal players: a victory with a lower chance is an upset. In a team, the first seat is named.
-- @games played
-- $most INTEGER = 20: number of rows
WITH seats_before AS MATERIALIZED (
  SELECT g.game, variant, g.id, started, coalesce('team ' || team, 'seat ' || seat) AS side, position AS position_, seat, won, seats.player, strength_before, variance_before,
    rating_before, margin_before
  FROM $played AS g JOIN credited('none') AS seats ON seats.id = g.id
    LEFT JOIN settled.rating_history AS history ON history.game = g.game AND history.player = seats.player AND history.day = started::DATE
  WHERE len(winners) = 1
), sides AS (
  SELECT game, variant, id, started, side, bool_or(won) AS won, avg(strength_before) AS strength, avg(variance_before) / count(*) AS variance,
    min(position_) AS position, arg_min(seat, position_) AS seat, arg_min(player, position_) AS player, arg_min_null(rating_before, position_) AS rating,
    arg_min_null(margin_before, position_) AS margin
  FROM seats_before WHERE id NOT IN (SELECT id FROM seats_before WHERE strength_before IS NULL) -- all players have names
  GROUP BY game, variant, id, started, side
), spread AS (
  SELECT *, count(*) OVER game_sides AS sides, 1 / sqrt(1 + pi() / 8 * (max(variance) FILTER (won) OVER game_sides
    + avg(variance) FILTER (NOT won) OVER game_sides)) AS certainty
  FROM sides WINDOW game_sides AS (PARTITION BY id)
), chances AS (
  SELECT *, round(exp(certainty * strength) / sum(exp(certainty * strength)) OVER (PARTITION BY id), 9) AS chance,
    arg_max(player, (strength, -position)) FILTER (NOT won) OVER (PARTITION BY id) AS favourite,
    arg_max_null(rating, (strength, -position)) FILTER (NOT won) OVER (PARTITION BY id) AS favourite_rating
  FROM spread WHERE sides > 1
)
SELECT game, variant, id, started, seat AS winner, player, chance, 1 / sides AS even, rating, margin, favourite, favourite_rating
FROM chances
WHERE won
ORDER BY chance, game, id
LIMIT $most
