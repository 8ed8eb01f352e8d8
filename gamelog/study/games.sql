-- One row for each game of a study, or of recorded games: the values of the measures (gamelog/study/measures.py).
WITH chosen AS (
  SELECT *, tags->>'study_variant' AS variant, coalesce(tags->>'study_part', 'equal') AS part,
    CASE WHEN $paired THEN tags->>'study_unit' ELSE id END AS pair
  FROM games
  WHERE game = $game AND valid AND finished AND made_by_play(result_by) AND ($paired OR counted)
    AND ($players IS NULL OR players = $players) AND CASE WHEN $paired THEN tags->>'study_variant' IS NOT NULL ELSE coalesce(tags->>'study_part', 'equal') = 'equal' END
), of_seats AS (
  SELECT id, list(share ORDER BY position) AS seat_shares, list(share ORDER BY turn_order) FILTER (turn_order IS NOT NULL) AS turn_shares,
    sum(overtakes) AS lead_changes,
    any_value(seat) FILTER (won) AS winner, max(max_deficit) FILTER (won) AS behind,
    sum(share) FILTER (bot = split_part(part, '>', 1)) AS stronger
  FROM chosen JOIN seats USING (id)
  GROUP BY id, part
), leaders AS (
  SELECT id, n, any_value(leader) AS leader FROM chosen JOIN scores USING (id) WHERE part = 'equal' GROUP BY id, n
), stretches AS (
  SELECT leaders.id, n, leader, winner, events, lead(n, 1, events) OVER (PARTITION BY leaders.id ORDER BY n) AS ends
  FROM leaders JOIN chosen USING (id) JOIN of_seats USING (id)
  WHERE len(winners) = 1 AND events > 0
), courses AS (
  SELECT id, coalesce(max(ends) FILTER (leader IS DISTINCT FROM winner), 0) / any_value(events) AS for_good,
    arg_max({'led': leader = winner}, n) FILTER (n <= events * 0.25).led AS quarter_1,
    arg_max({'led': leader = winner}, n) FILTER (n <= events * 0.5).led AS quarter_2,
    arg_max({'led': leader = winner}, n) FILTER (n <= events * 0.75).led AS quarter_3
  FROM stretches GROUP BY id
)
SELECT variant, part, pair, events, turns, CASE WHEN NOT has_bot(id) THEN duration / 60000 END AS minutes, reason, len(winners) <> 1 AS undecided, seat_shares, turn_shares,
  CASE WHEN for_good IS NOT NULL THEN lead_changes END AS lead_changes, for_good,
  CASE WHEN for_good IS NOT NULL THEN behind END AS behind, quarter_1, quarter_2, quarter_3, stronger
FROM chosen JOIN of_seats USING (id) LEFT JOIN courses USING (id)
ORDER BY variant, part, pair
