-- Results
-- Who won each finished game, with what scores, and how was the result made?
-- One row for each game, the latest first. people, scores and places are in the order of the seats; people has the person who gets the
-- result of each seat, and null for a seat at which several people decided something. result_by is the origin of the result.
-- $credit none|starter|finisher|share = none: who gets the result if several people decided something at one seat: no one (none), the first person (starter), the last person (finisher), or each in part (share)
-- $most INTEGER = 1000: number of rows
WITH latest AS MATERIALIZED (
  SELECT game, variant, id, started, tags, reason, result_by, path FROM $counted_games WHERE finished ORDER BY started DESC, game, id LIMIT $most
), people_at_seats AS (
  SELECT id, position, any_value(won) AS won, any_value(score) AS score, any_value(place) AS place,
    string_agg(player, ' / ' ORDER BY player) AS player
  FROM $credited WHERE id IN (SELECT id FROM latest) GROUP BY id, position
)
SELECT game, variant, id, started, tags, list(player ORDER BY position) AS people, list(score ORDER BY position) AS scores,
  list(place ORDER BY position) AS places, coalesce(list(player ORDER BY position) FILTER (won), []) AS won_by, reason, result_by, path
FROM latest JOIN people_at_seats USING (id)
GROUP BY ALL
ORDER BY started DESC, game, id
