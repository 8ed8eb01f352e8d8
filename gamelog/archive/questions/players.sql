-- Players and their ratings
-- Who played how often, with what success, how strong, how fast, and when last?
-- rating is Bradley and Terry's: each winner beats each loser, and those who share a victory or a draw draw among themselves; 400
-- points are odds of ten to one. Everybody has one draw with a player of 1500, so that few games leave the rating near that. It
-- knows no order in time and no seats. give_or_take is half of its 95 % interval if the others' ratings were exact, so at least
-- so much is uncertain. Newton's steps are taken until none moves a rating by 0.02, at most 200 of them. seconds is the mean
-- thinking time of a decision.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH RECURSIVE seated AS (
  SELECT id, started, player, dense_rank() OVER (ORDER BY player)::INTEGER AS number, share, thinking, decisions
  FROM chosen($game, $since, $until, $players, $who, $uncounted) JOIN seats USING (id)
  WHERE player IS NOT NULL
), met AS MATERIALIZED (
  SELECT a.number, b.number AS other, count(*)::DOUBLE AS games,
    sum(CASE WHEN a.share > b.share THEN 1::DOUBLE WHEN a.share = b.share THEN 0.5::DOUBLE ELSE 0::DOUBLE END) AS points
  FROM seated AS a JOIN seated AS b ON a.id = b.id AND a.number <> b.number
  WHERE a.share + b.share > 0
  GROUP BY a.number, other
), won AS MATERIALIZED (
  SELECT number, sum(points) + 0.5 AS points FROM met GROUP BY number
), strength(round, number, strength, information, step) AS (
  SELECT 0, number, 0::DOUBLE, 0::DOUBLE, 1::DOUBLE FROM won
  UNION ALL
  SELECT round + 1, number, strength + greatest(-1, least(1, lead / known)), known, lead / known
  FROM (
    SELECT a.round, a.number, a.strength,
      0.7 * (any_value(won.points) - chance(a.strength) - sum(games * chance(a.strength - b.strength))) AS lead,
      chance(a.strength) * chance(-a.strength) + sum(games * chance(a.strength - b.strength) * chance(b.strength - a.strength)) AS known
    FROM strength AS a JOIN met USING (number) JOIN strength AS b ON b.number = met.other JOIN won USING (number)
    WHERE a.round < 200 AND (SELECT max(abs(step)) FROM strength) > 1e-4
    GROUP BY a.round, a.number, a.strength
  )
), rated AS (
  SELECT number, 1500 + 400 / ln(10) * max_by(strength, round) AS rating,
    1.96 * 400 / ln(10) / sqrt(max_by(information, round)) AS give_or_take
  FROM strength GROUP BY number
)
SELECT player, count(DISTINCT id) AS games, count(DISTINCT id) FILTER (share IS NOT NULL) AS finished, sum(share) AS victories,
  avg(share) AS share, any_value(rating) AS rating, any_value(give_or_take) AS give_or_take,
  sum(thinking) / nullif(sum(decisions), 0) / 1000 AS seconds, max(started) AS last
FROM seated LEFT JOIN rated USING (number)
GROUP BY player
ORDER BY rating DESC NULLS LAST, player
