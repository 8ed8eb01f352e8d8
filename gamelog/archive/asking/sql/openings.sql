-- First decisions and their results
-- What does each seat decide first, and how often does it win after that?
-- share is the mean part of the victory. low and high are Wilson's 95 % interval of winning alone.
-- @games played
-- @groups
-- $decisions INTEGER = 1: number of first decisions that make an opening
-- $least INTEGER = 1: leave out openings of fewer games
WITH first_decisions AS (
  SELECT id, seat, string_agg(kind || ' ' || data, ', ' ORDER BY decision) AS opening
  FROM events WHERE decision <= $decisions
  GROUP BY id, seat
), totals AS (
  SELECT game, variant, players, first_decisions.seat, opening, count(*) AS games, avg(share) AS share,
    count(*) FILTER (len(winners) = 1) AS decided, count(*) FILTER (len(winners) = 1 AND won) AS won
  FROM $played JOIN first_decisions USING (id) JOIN seats USING (id, seat)
  GROUP BY game, variant, players, first_decisions.seat, opening
)
SELECT *, wilson_low(won, decided) AS low, wilson_high(won, decided) AS high
FROM totals
WHERE games >= $least
ORDER BY game, variant, players, seat, games DESC, opening
