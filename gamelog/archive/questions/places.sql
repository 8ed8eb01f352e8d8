-- Where on the board things happen
-- How often is each place fought over and touched by what the game counts, and who profits?
-- per_game is over all games on that board; rate is how often the attacker won there; winners is the part that was done by a seat
-- that won the game in the end.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
-- $uncounted BOOLEAN = false: also records that do not count (disputed, copies, branches, forks)
WITH happened AS (
  SELECT id, place, 'contest' AS what, seat, count(*) AS times, count(*) FILTER (won) AS successes
  FROM contests WHERE stands AND place IS NOT NULL GROUP BY id, place, seat
  UNION ALL
  SELECT id, place, kind, seat, count(*), NULL FROM facts WHERE stands AND place IS NOT NULL GROUP BY id, place, kind, seat
), chosen_games AS (
  SELECT *, count(*) OVER (PARTITION BY game, board) AS of_games FROM chosen($game, $since, $until, $players, $who, $uncounted)
)
SELECT game, board, place, what, sum(times)::BIGINT AS times, sum(times) / any_value(of_games) AS per_game,
  sum(successes) / sum(times) AS rate,
  sum(times) FILTER (list_contains(winners, seat)) / sum(times) FILTER (finished AND seat IS NOT NULL) AS winners
FROM chosen_games JOIN happened USING (id)
GROUP BY game, board, place, what
ORDER BY game, board, what, times DESC, place
