-- Players and their ratings
-- How often did each player play each game, with what success, how strong, how fast, and when last?
-- One row for each player and game. games is the number of games in which the player sat at the table. seconds is the mean
-- thinking time of their own decisions, and null for bots, whose times are invented. finished is the number of games with a
-- result by play that counts for the player. Walkovers and games ended by a ruling are left out. victories, share and rating use
-- only these games. If several people decided something at one seat, the result counts for none of them by default, because it
-- says little about each. Set credit to count it for one of them, or for each in part. rating uses the model of Plackett and
-- Luce: a winner is chosen from all who played, in proportion to strength. If a game gives places, the next place is chosen from
-- those that are left. Players who tie come in every order equally often. A team is one side, with the mean strength of its
-- members. 400 points are odds of ten to one between two players. circle numbers the groups of people who met, directly or
-- through others. Only ratings of one circle compare, and their mean is 1500. The model assumes that strengths lie around that
-- mean with a standard deviation of 521 points, so a player who always wins has a rating too. The order of games in time and the
-- seats make no difference. margin is half of the 95 % interval of the distance from the mean of the circle, and allows for the
-- uncertainty of the other ratings.
-- @games played
-- @groups
-- $credit none|starter|finisher|share = none: who gets the result if several people decided something at one seat: no one (none), the first person (starter), the last person (finisher), or each in part (share)
WITH games_played AS (
  SELECT game, variant, player, count(DISTINCT id) AS games, sum(thinking) FILTER (bot IS NULL) / nullif(sum(decisions) FILTER (bot IS NULL), 0) / 1000 AS seconds, max(started) AS last
  FROM $counted_games JOIN sittings USING (id) WHERE player IS NOT NULL
  GROUP BY game, variant, player
), results AS (
  SELECT game, variant, player, count(DISTINCT id) AS finished, sum(share * credit) AS victories, sum(share * credit) / sum(credit) AS share
  FROM $played JOIN $credited USING (id) WHERE player IS NOT NULL
  GROUP BY game, variant, player
)
SELECT games_played.game, games_played.variant, games_played.player, games, coalesce(finished, 0) AS finished, victories, share, rating, margin, circle, seconds, last
FROM games_played LEFT JOIN results ON results.game = games_played.game AND results.player = games_played.player AND results.variant IS NOT DISTINCT FROM games_played.variant
  LEFT JOIN $ratings AS ratings_by_player ON ratings_by_player.game = games_played.game AND ratings_by_player.player = games_played.player AND ratings_by_player.variant IS NOT DISTINCT FROM games_played.variant
ORDER BY games_played.game, games_played.variant, rating DESC NULLS LAST, games_played.player
