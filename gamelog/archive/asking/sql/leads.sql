-- Lead changes
-- How often does the lead pass from one seat to another, and does who leads half-way win?
-- Leading is having more points than every other seat. half_way counts the games with one winner and a leader after half of their
-- events, kept those of them that this leader won, low and high are Wilson's 95 % interval of their share; unbroken is the part
-- of games whose lead never passed on. Games that count no points are not here.
WITH told AS (
  SELECT game, variant, players, id, sum(overtakes) AS changes,
    CASE WHEN len(any_value(winners)) = 1 THEN any_value(won) FILTER (half_way) END AS kept
  FROM $played JOIN seats USING (id)
  WHERE max_deficit IS NOT NULL
  GROUP BY game, variant, players, id
), tally AS (
  SELECT game, variant, players, count(*) AS games, avg(changes) AS changes_mean, median(changes) AS changes_median,
    max(changes)::BIGINT AS changes_max, count(*) FILTER (changes = 0) / count(*) AS unbroken,
    count(kept) AS half_way, count(*) FILTER (kept) AS kept
  FROM told
  GROUP BY game, variant, players
)
SELECT *, wilson_low(kept, half_way) AS low, wilson_high(kept, half_way) AS high
FROM tally
ORDER BY game, variant, players
