-- Luck and choices
-- How much did luck and choices change the chances of each seat in each game, or of each player?
-- Only games with an analysis are used (gamelog analyse). initial is the chance at the start, and result the share of the victory: initial +
-- luck + choices + other = result. luck is the sum of the changes by rolls, and choices by decisions of all seats, so the mistake of a
-- rival counts too. other has takebacks, rulings and clocks. error is the standard error of luck and of choices, which playouts leave; it
-- is 0 if the analysis had no playouts. With by=player, all numbers are means for each game. Past luck does not predict the next roll.
-- @groups
-- $by game|player = game: one row for each seat of each game or for each player
SELECT game, variant, CASE WHEN $by = 'game' THEN g.id END AS id, CASE WHEN $by = 'game' THEN started END AS started,
  CASE WHEN $by = 'game' THEN seats.seat END AS seat, player, count(DISTINCT g.id) AS games, avg(initial) AS initial, avg(seat_luck.luck) AS luck,
  avg(choices) AS choices, avg(other) AS other, avg(result) AS result, sqrt(sum(error ** 2)) / count(*) AS error
FROM $counted_games AS g JOIN seat_luck ON seat_luck.id = g.id JOIN credited('none') AS seats ON seats.id = g.id AND seats.seat = seat_luck.seat
WHERE $by = 'game' OR player IS NOT NULL
GROUP BY game, variant, CASE WHEN $by = 'game' THEN g.id END, CASE WHEN $by = 'game' THEN started END, CASE WHEN $by = 'game' THEN seats.seat END,
  player
ORDER BY game, variant, started DESC, id, CASE WHEN $by = 'game' THEN any_value(position) END, player
