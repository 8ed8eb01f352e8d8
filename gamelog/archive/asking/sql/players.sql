-- Players and their ratings
-- Who played which game how often, with what success, how strong, how fast, and when last? One row for each player and game.
-- games are those in which the player sat at the table, seconds the mean thinking time of the decisions that they made themselves.
-- finished are the games whose result counts for the player and was made by play: no walkovers, and none that a ruling ended; victories,
-- share and rating are about these. If several people decided something at one seat, its result says little about each, so by
-- default it counts for none of them; credit gives it to one of them, or to each in part. rating is Plackett and Luce's: the winner is chosen from all who played, each by strength; where a game gives places, so is
-- the next from those that are left. Those who share a victory, a draw or a place come in every order alike; a team is one side, as
-- strong as its members in the mean. 400 points are odds of ten to one between two. circle numbers those who have met, directly or by way of others: only
-- their ratings compare, and their mean is 1500. Strengths are taken to lie around it with a standard deviation of 521 points, so that
-- who always wins has a rating, too. It knows no order in time and no seats. margin is half of the 95 % interval of the distance from
-- the mean of the circle, others' uncertainty included: the true strength is in 95 of 100 such intervals.
-- $credit none|starter|finisher|share = none: whose result it is if several people decided something at one seat: nobody's (none), that of the first or the last of them (starter, finisher), or each one's in the part of the decisions that they made (share)
WITH sat AS (
  SELECT game, variant, player, count(DISTINCT id) AS games, sum(thinking) / nullif(sum(decisions), 0) / 1000 AS seconds, max(started) AS last
  FROM $counted_games JOIN sittings USING (id) WHERE player IS NOT NULL
  GROUP BY game, variant, player
), earned AS (
  SELECT game, variant, player, count(DISTINCT id) AS finished, sum(share * credit) AS victories, sum(share * credit) / sum(credit) AS share
  FROM $played JOIN $credited USING (id) WHERE player IS NOT NULL
  GROUP BY game, variant, player
)
SELECT sat.game, sat.variant, sat.player, games, coalesce(finished, 0) AS finished, victories, share, rating, margin, circle, seconds, last
FROM sat LEFT JOIN earned ON earned.game = sat.game AND earned.player = sat.player AND earned.variant IS NOT DISTINCT FROM sat.variant
  LEFT JOIN $ratings AS rated ON rated.game = sat.game AND rated.player = sat.player AND rated.variant IS NOT DISTINCT FROM sat.variant
ORDER BY sat.game, sat.variant, rating DESC NULLS LAST, sat.player
