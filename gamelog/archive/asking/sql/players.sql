-- Players and their ratings
-- Who played which game how often, with what success, how strong, how fast, and when last? One row for each player and game.
-- finished are the games whose result the players made: no walkovers, and none that a ruling ended; victories, share and rating are
-- about these. rating is Plackett and Luce's: the winner is chosen from all who played, each by strength; where a game gives places, so is
-- the next from those that are left. Those who share a victory, a draw or a place come in every order alike; a team is one side, as
-- strong as its members in the mean. 400 points are odds of ten to one between two. circle numbers those who have met, directly or by way of others: only
-- their ratings compare, and their mean is 1500. Strengths are taken to lie around it with a standard deviation of 521 points, so that
-- who always wins has a rating, too. It knows no order in time and no seats. margin is half of the 95 % interval of the distance from
-- the mean of the circle, others' uncertainty included: the true strength is in 95 of 100 such intervals. seconds is the mean thinking
-- time of a decision.
WITH seated AS (
  SELECT game, variant, id, started, player, CASE WHEN made_by_play(result_by) THEN share END AS share, thinking, decisions
  FROM $counted_games JOIN seats USING (id) WHERE player IS NOT NULL
)
SELECT seated.game, seated.variant, seated.player, count(DISTINCT id) AS games,
  count(DISTINCT id) FILTER (share IS NOT NULL) AS finished, sum(share) AS victories, avg(share) AS share,
  any_value(rating) AS rating, any_value(margin) AS margin, any_value(circle) AS circle,
  sum(thinking) / nullif(sum(decisions), 0) / 1000 AS seconds, max(started) AS last
FROM seated LEFT JOIN $ratings AS rated ON rated.game = seated.game AND rated.player = seated.player
  AND rated.variant IS NOT DISTINCT FROM seated.variant
GROUP BY seated.game, seated.variant, seated.player
ORDER BY seated.game, seated.variant, rating DESC NULLS LAST, seated.player
