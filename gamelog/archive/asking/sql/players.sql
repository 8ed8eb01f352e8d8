-- Players and their ratings
-- Who played which game how often, with what success, how strong, how fast, and when last? One row for each player and game.
-- finished are the games whose result the players made: no walkovers, and none that a ruling ended; victories, share and rating are
-- about these. rating is Bradley and Terry's: each winner beats each loser, and those who share a victory or a draw draw among
-- themselves; where a game gives places, who is placed before beats who is placed behind, ties are draws, and nobody meets
-- their own team. 400 points are odds of ten to one. Everybody has one draw with a player of 1500, so that few games leave the rating
-- near that. It knows no order in time and no seats. margin is half of its 95 % interval if the others' ratings were exact, so
-- at least so much is uncertain. Newton's steps are taken until none moves a rating by 0.02, at most 200 of them. seconds is the
-- mean thinking time of a decision.
WITH seated AS (
  SELECT game, variant, id, started, player, CASE WHEN made_by_play(result_by) THEN share END AS share, thinking, decisions
  FROM $counted_games JOIN seats USING (id) WHERE player IS NOT NULL
)
SELECT seated.game, seated.variant, seated.player, count(DISTINCT id) AS games,
  count(DISTINCT id) FILTER (share IS NOT NULL) AS finished, sum(share) AS victories, avg(share) AS share,
  any_value(rating) AS rating, any_value(margin) AS margin, sum(thinking) / nullif(sum(decisions), 0) / 1000 AS seconds,
  max(started) AS last
FROM seated LEFT JOIN $ratings AS rated ON rated.game = seated.game AND rated.player = seated.player
  AND rated.variant IS NOT DISTINCT FROM seated.variant
GROUP BY seated.game, seated.variant, seated.player
ORDER BY seated.game, seated.variant, rating DESC NULLS LAST, seated.player
