-- Runs of victories and defeats
-- How many games in succession did each player win or lose at most, and how does their latest run stand?
-- A shared victory counts as a victory. A draw ends both runs. wins and losses are the longest runs, the first of equal ones, with the
-- start of their first and of their last game. latest is won, drawn or lost, and latest_games is the length of the latest run. A long
-- run proves nothing: among many games, long runs come by chance.
-- @games played
-- @groups
-- $credit none|starter|finisher|share = none: who gets the result if several people decided something at one seat: no one (none), the first person (starter), the last person (finisher), or each in part (share)
WITH results AS (
  SELECT game, variant, player, id, started, if(bool_or(won), 'won', if(len(any_value(winners)) = 0, 'drawn', 'lost')) AS result
  FROM $played JOIN $credited USING (id)
  WHERE player IS NOT NULL
  GROUP BY game, variant, player, id, started
), numbered AS (
  SELECT *, row_number() OVER in_time - row_number() OVER in_kind AS run
  FROM results
  WINDOW in_time AS (PARTITION BY game, variant, player ORDER BY started, id), in_kind AS (PARTITION BY game, variant, player, result ORDER BY started, id)
), runs AS (
  SELECT game, variant, player, result, count(*) AS games, min(started) AS began, max(started) AS ended, max((started, id)) AS last_game
  FROM numbered GROUP BY game, variant, player, result, run
), longest AS (
  SELECT game, variant, player, result, max(games) AS games, arg_max((began, ended), (games, -epoch_us(began))) AS days
  FROM runs GROUP BY game, variant, player, result
), totals AS (
  SELECT game, variant, player, sum(games) AS games, arg_max(result, last_game) AS latest, arg_max(games, last_game) AS latest_games
  FROM runs GROUP BY game, variant, player
)
SELECT totals.game, totals.variant, totals.player, totals.games, coalesce(wins.games, 0) AS wins, wins.days[1] AS wins_began, wins.days[2] AS wins_ended,
  coalesce(losses.games, 0) AS losses, losses.days[1] AS losses_began, losses.days[2] AS losses_ended, latest, latest_games
FROM totals
  LEFT JOIN longest AS wins ON wins.game = totals.game AND wins.player = totals.player AND wins.variant IS NOT DISTINCT FROM totals.variant AND wins.result = 'won'
  LEFT JOIN longest AS losses ON losses.game = totals.game AND losses.player = totals.player AND losses.variant IS NOT DISTINCT FROM totals.variant AND losses.result = 'lost'
ORDER BY totals.game, totals.variant, wins DESC, totals.player
