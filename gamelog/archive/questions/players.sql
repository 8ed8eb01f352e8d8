-- Players and their ratings
-- Who played how often, with what success, how strong, how fast, and when last?
-- rating is Bradley and Terry's: each winner beats each loser, and those who share a victory or a draw draw among themselves; 400
-- points are odds of ten to one. Everybody has one draw with a player of 1500, so that few games leave the rating near that. It
-- knows no order in time and no seats. It is found in 200 damped steps of Newton's. seconds is the mean thinking time of a decision.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH RECURSIVE seated AS (
  SELECT id, started, player, s.seat, share, thinking, decisions
  FROM chosen($game, $since, $until, $players, $who, $uncounted) JOIN seats AS s USING (id)
  WHERE player IS NOT NULL
), met AS (
  SELECT a.player, b.player AS other, count(*) AS games,
    sum(CASE WHEN a.share > b.share THEN 1.0 WHEN a.share = b.share THEN 0.5 ELSE 0.0 END) AS points
  FROM seated AS a JOIN seated AS b ON a.id = b.id AND a.player <> b.player
  WHERE a.share + b.share > 0
  GROUP BY a.player, other
), won AS (
  SELECT player, sum(points) + 0.5 AS points FROM met GROUP BY player
), strength(round, player, strength) AS (
  SELECT 0, player, 0.0::DOUBLE FROM won
  UNION ALL
  SELECT a.round + 1, a.player, any_value(a.strength) + greatest(-1.0, least(1.0, 0.7 *
    (any_value(won.points) - sum(games * chance(a.strength - b.strength)) - chance(any_value(a.strength)))
    / (sum(games * chance(a.strength - b.strength) * chance(b.strength - a.strength))
      + chance(any_value(a.strength)) * chance(-any_value(a.strength)))))
  FROM strength AS a JOIN met USING (player) JOIN strength AS b ON b.player = met.other JOIN won USING (player)
  WHERE a.round < 200
  GROUP BY a.round, a.player
), rated AS (
  SELECT player, 1500 + 400 * strength / ln(10.0) AS rating FROM strength WHERE round = 200
)
SELECT player, count(DISTINCT id) AS games, count(DISTINCT id) FILTER (share IS NOT NULL) AS finished, sum(share) AS victories, avg(share) AS share,
  any_value(rating) AS rating, sum(thinking) / nullif(sum(decisions), 0) / 1000 AS seconds, max(started) AS last
FROM seated LEFT JOIN rated USING (player)
GROUP BY player
ORDER BY rating DESC NULLS LAST, player
