-- Lead changes
-- How often does the lead pass from one seat to another, and does who leads half-way win?
-- Leading is having more points than every other seat. half_way counts the games with one winner and a leader after half of their
-- events, kept those of them that this leader won; unbroken is the part of games whose lead never passed on.
-- $game VARCHAR = NULL: only this game
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH moments AS (
  SELECT id, n, any_value(leader) AS leader FROM scores GROUP BY id, n
), passed AS (
  SELECT *, leader <> last_value(leader IGNORE NULLS) OVER (
    PARTITION BY id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS changed
  FROM moments
), told AS (
  SELECT game, players, id, any_value(winners) AS winners, count(*) FILTER (changed) AS changes,
    arg_max_null(leader, n) FILTER (n <= events / 2) AS half_way_leader
  FROM chosen($game, $uncounted) LEFT JOIN passed USING (id)
  WHERE finished
  GROUP BY game, players, id
)
SELECT game, players, count(*) AS games, avg(changes) AS changes_mean, median(changes) AS changes_median, max(changes) AS changes_max,
  count(*) FILTER (changes = 0) / count(*) AS unbroken,
  count(*) FILTER (len(winners) = 1 AND half_way_leader IS NOT NULL) AS half_way,
  count(*) FILTER (len(winners) = 1 AND half_way_leader = winners[1]) AS kept
FROM told
GROUP BY game, players
ORDER BY game, players
