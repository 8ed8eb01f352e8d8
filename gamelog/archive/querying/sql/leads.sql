-- Lead changes
-- How often does the lead pass from one seat to another, and how often does the leader at half-way win?
-- A seat leads if it has more points than every other seat. half_way is the number of games with one winner and a leader after
-- half of their events, and kept is how many of them this leader won. low and high are Wilson's 95 % interval of that share.
-- unbroken is the share of games whose lead never changed. Games without points are left out.
-- @games played
-- @groups
WITH leads_by_game AS (
  SELECT game, variant, players, id, sum(overtakes) AS changes,
    CASE WHEN len(any_value(winners)) = 1 THEN any_value(won) FILTER (half_way) END AS kept
  FROM $played JOIN seats USING (id)
  WHERE max_deficit IS NOT NULL
  GROUP BY game, variant, players, id
), totals AS (
  SELECT game, variant, players, count(*) AS games, avg(changes) AS changes_mean, median(changes) AS changes_median,
    max(changes)::BIGINT AS changes_max, count(*) FILTER (changes = 0) / count(*) AS unbroken,
    count(kept) AS half_way, count(*) FILTER (kept) AS kept
  FROM leads_by_game
  GROUP BY game, variant, players
)
SELECT *, wilson_low(kept, half_way) AS low, wilson_high(kept, half_way) AS high
FROM totals
ORDER BY game, variant, players
