-- First decisions and what became of them
-- What does each seat decide first, and how often does it win then?
-- share is the mean part of the victory, low and high Wilson's 95 % interval of winning alone.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
-- $decisions INTEGER = 1: how many first decisions of a seat make its opening
-- $least INTEGER = 1: leave out openings of fewer games
WITH opened AS (
  SELECT id, seat, string_agg(kind || ' ' || data, ', ' ORDER BY decision) AS opening
  FROM events WHERE decision <= $decisions
  GROUP BY id, seat
), tally AS (
  SELECT game, players, opened.seat, opening, count(*) AS games, avg(share) AS share,
    count(*) FILTER (len(winners) = 1) AS decided, count(*) FILTER (len(winners) = 1 AND won) AS won
  FROM chosen($game, $since, $until, $players, $who, $uncounted) JOIN opened USING (id) JOIN seats USING (id, seat)
  WHERE finished
  GROUP BY game, players, opened.seat, opening
)
SELECT *, wilson_low(won, decided) AS low, wilson_high(won, decided) AS high
FROM tally
WHERE games >= $least
ORDER BY game, players, seat, games DESC, opening
