-- Ratings over time
-- How strong was each player before and after each day with games?
-- One row for each player and each day (UTC) with chosen games that have a result by play. A rating rests on all games of its kind up to
-- that day, also those that were not chosen, so later games never change it. The model is that of the question players, but strengths
-- change: by a standard deviation of 12 points in a day, and 67 in 30 days. The numbers therefore differ from those of players, where all
-- games count alike. 400 points are odds of ten to one, and the mean of the people who met, directly or through others, is 1500 on each
-- day. margin is half of the 95 % interval of the distance from that mean. rating_before and margin_before are for the morning of the
-- day, and NULL on the first day of a player. If several people decided something at one seat, the result counts for none of them.
-- @games played
-- @groups
-- $player VARCHAR = NULL: only this player
SELECT DISTINCT history.game, variant, history.player, history.day, rating_before, margin_before, rating, margin
FROM $played AS chosen JOIN credited('none') AS seats USING (id)
  JOIN settled.rating_history AS history ON history.game = chosen.game AND history.player = seats.player AND history.day = started::DATE
WHERE $player IS NULL OR history.player = $player
ORDER BY history.game, variant, history.player, history.day
