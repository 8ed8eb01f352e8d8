-- People who sat at each seat
-- Who sat where from when to when?
-- One row for each person at each seat. from_n and to_n are the first and the last event of the stay; to_n is null for people who
-- stayed to the end. from_minute and to_minute are the minutes of play until then, and null for games with bots, whose times are
-- invented. decisions is the number of their decisions there.
-- $changed BOOLEAN = true: only seats at which several people sat
WITH chosen AS (
  SELECT games.game, games.variant, games.started, sittings.*
  FROM $counted_games AS games JOIN sittings USING (id)
  WHERE NOT $changed OR (sittings.id, sittings.seat) IN (SELECT (id, seat) FROM seats WHERE sitters > 1)
), times AS (
  SELECT id, n, sum(elapsed_ms) OVER (PARTITION BY id ORDER BY n) / 60000 AS minute
  FROM events WHERE id IN (SELECT id FROM chosen) AND NOT has_bot(id)
)
SELECT game, chosen.variant, chosen.id, started, seat, player, name, from_n, to_n,
  if(has_bot(chosen.id), NULL, if(from_n = 0, 0.0, began.minute)) AS from_minute, ended.minute AS to_minute, decisions
FROM chosen LEFT JOIN times AS began ON began.id = chosen.id AND began.n = from_n LEFT JOIN times AS ended ON ended.id = chosen.id AND ended.n = to_n
ORDER BY started DESC, game, chosen.id, seat, from_n
