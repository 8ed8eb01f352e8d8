-- The results and the table of a league. The stock questions about the league share these macros.

-- The records of the kinds of games that count in the league, copies left out.
CREATE MACRO league_candidates() AS TABLE
  FROM games WHERE copy_of IS NULL AND (NOT EXISTS (FROM league_kinds) OR EXISTS (
    FROM league_kinds WHERE league_kinds.game = games.game
      AND (league_kinds.boards IS NULL OR list_contains(league_kinds.boards, games.board))
      AND (league_kinds.players IS NULL OR list_contains(league_kinds.players, games.players))
      AND coalesce(list_bool_and(list_transform(json_keys(league_kinds.options),
        lambda name: games.options->>name IS NOT DISTINCT FROM league_kinds.options->>name)), true)));

-- The finished games that count in the league on a day (NULL: all of them), each with its round and the decision of the organiser. people
-- are the people who began the game, sorted.
CREATE MACRO league_records(as_of := NULL) AS TABLE
  WITH decisions AS (
    FROM league_corrections WHERE record IS NOT NULL AND (as_of IS NULL OR day IS NULL OR day <= as_of)
  ), records AS (
    SELECT games.id, games.game, games.board, games.started, games.started::DATE AS day, games.players, games.winners, games.result_by,
      games.path, league.round_tag, games.tags, coalesce(decisions.kind, '') AS decision, decisions.reason,
      decisions.people AS placed_people, decisions.places AS given_places
    FROM league_candidates() AS games CROSS JOIN league LEFT JOIN decisions ON decisions.record = games.id
    WHERE ((games.counted AND games.finished) OR decisions.kind IN ('forfeit', 'result'))
      AND decisions.kind IS DISTINCT FROM 'annulled' AND (as_of IS NULL OR games.started::DATE <= as_of)
  ), seated AS (
    SELECT id, list_sort(list(coalesce(person, ''))) AS people FROM credited('starter') GROUP BY id
  ), dated AS ( -- the first listed round with the day of the game
    SELECT records.id, arg_min(league_rounds.round, league_rounds.position) AS round
    FROM records JOIN league_rounds ON coalesce(league_rounds.first_day, league_rounds.last_day) IS NOT NULL
      AND records.day >= coalesce(league_rounds.first_day, records.day) AND records.day <= coalesce(league_rounds.last_day, records.day)
    GROUP BY records.id
  ), numbered AS ( -- games without such a round are of the rounds that pair these people, in order of time
    SELECT records.*, seated.people, CASE WHEN round_tag IS NOT NULL THEN records.tags->>round_tag END AS tagged, dated.round AS on_day,
      row_number() OVER (PARTITION BY seated.people, coalesce(tagged, on_day) IS NULL ORDER BY records.started, records.id) AS meeting
    FROM records LEFT JOIN seated ON seated.id = records.id LEFT JOIN dated ON dated.id = records.id
  ), paired AS (
    SELECT league_pairings.people, league_rounds.round,
      row_number() OVER (PARTITION BY league_pairings.people ORDER BY league_pairings.position, league_pairings.number) AS meeting
    FROM league_pairings JOIN league_rounds USING (position)
    WHERE league_rounds.first_day IS NULL AND league_rounds.last_day IS NULL
  )
  SELECT numbered.* EXCLUDE (meeting, tagged, on_day, round_tag, tags), coalesce(tagged, on_day, paired.round) AS round
  FROM numbered LEFT JOIN paired
    ON coalesce(tagged, on_day) IS NULL AND round_tag IS NULL AND paired.people = numbered.people AND paired.meeting = numbered.meeting;

-- The people with their names in answers.
CREATE MACRO league_names() AS TABLE
  SELECT person, arg_min(player, source) AS player FROM (
    SELECT person, player, 1 AS source FROM seats UNION ALL SELECT person, player, 1 FROM stays
    UNION ALL SELECT person, player, 2 FROM league_people
  ) WHERE person IS NOT NULL AND player IS NOT NULL GROUP BY person;

-- One row for each person at each seat of each game that counts in the league, with the points. Without rounds, round is NULL. person is
-- NULL for a seat whose result counts for no one.
CREATE MACRO league_results(as_of := NULL) AS TABLE
  WITH records AS (
    FROM league_records(as_of)
    WHERE round IS NOT NULL OR NOT EXISTS (FROM league_rounds) AND NOT EXISTS (FROM league WHERE round_tag IS NOT NULL)
  ), sat AS (
    SELECT id, seat, list(person) AS people
    FROM (SELECT id, seat, person FROM seats UNION SELECT id, seat, person FROM stays) GROUP BY id, seat
  ), ordered AS ( -- the seats in the order of a game: by place, then by falling score
    SELECT records.*, seats.seat, seats.score, NULL::VARCHAR AS unseated,
      CASE WHEN decision <> '' THEN coalesce(list_min(list_filter(list_transform(sat.people,
          lambda someone: given_places[list_position(placed_people, someone)]), lambda given: given IS NOT NULL)), list_max(given_places) + 1)
        WHEN league.places_by = 'score' AND len(records.winners) > 0 THEN if(seats.won, 1, 2)
        WHEN league.places_by = 'score' THEN 1
        ELSE coalesce(seats.place, if(seats.won OR len(records.winners) = 0, 1, 2)) END AS by_place,
      CASE WHEN decision = '' AND league.places_by = 'score' AND len(records.winners) > 0 AND NOT seats.won THEN -seats.score
        ELSE 0 END AS by_score
    FROM records JOIN seats ON seats.id = records.id JOIN sat ON sat.id = seats.id AND sat.seat = seats.seat CROSS JOIN league
    UNION ALL BY NAME
    SELECT 'correction ' || number AS id, day, day::TIMESTAMP AS started, round, kind AS decision, reason, len(people) AS players,
      people, unnest(people) AS unseated, unnest(places) AS by_place, 0 AS by_score
    FROM league_corrections CROSS JOIN league WHERE record IS NULL AND (as_of IS NULL OR day <= as_of)
  ), placed AS (
    SELECT *, rank() OVER (PARTITION BY id ORDER BY by_place, by_score) AS place, count(*) OVER (PARTITION BY id, by_place, by_score) AS tied,
      count(*) OVER (PARTITION BY id) AS seats_of_game,
      score - (sum(score) OVER (PARTITION BY id) - score) / nullif(count(score) OVER (PARTITION BY id) - 1, 0) AS difference,
      decision = 'forfeit' OR (decision = '' AND result_by = 'walkover') AS walkover
    FROM ordered
  ), scale AS (
    SELECT players, list(points ORDER BY place) AS points FROM league_points GROUP BY players
  ), pointed AS (
    SELECT placed.*, tied = seats_of_game AND seats_of_game > 1 AS drawn,
      CASE WHEN drawn AND league.draw IS NOT NULL THEN league.draw
        WHEN walkover AND NOT drawn AND placed.place = 1 AND league.walkover_win IS NOT NULL THEN league.walkover_win
        WHEN walkover AND placed.place > 1 AND league.walkover_loss IS NOT NULL THEN league.walkover_loss
        WHEN league.ties = 'best' THEN coalesce(scale.points[placed.place], 0)
        ELSE coalesce(list_sum(scale.points[placed.place:placed.place + tied - 1]), 0) / tied END AS seat_points
    FROM placed CROSS JOIN league LEFT JOIN scale ON scale.players = placed.players
  ), people AS (
    SELECT id, seat, person, bot, credit FROM credited((SELECT credit FROM league))
  )
  SELECT pointed.id, pointed.round, pointed.day, pointed.started, pointed.game, pointed.board, pointed.players, pointed.people, pointed.seat,
    coalesce(people.person, unseated) AS person, coalesce(league_names.player, unseated) AS player, people.bot, pointed.place, pointed.tied, pointed.place = 1 AND NOT drawn AS won,
    drawn, walkover, score, difference, seat_points * coalesce(credit, 1) AS points, coalesce(credit, 1) AS credit,
    if(decision = '', result_by, decision) AS result, reason, path
  FROM pointed LEFT JOIN people ON people.id = pointed.id AND people.seat = pointed.seat
    LEFT JOIN league_names() AS league_names ON league_names.person = coalesce(people.person, unseated);

-- The table of the league on a day. level 0 orders the people by points, and each further level orders people with the same standing by
-- the next tie-break. Sums are rounded, so that equal sums of fractions are equal.
CREATE MACRO league_table(as_of := NULL) AS TABLE
  WITH RECURSIVE results AS MATERIALIZED (
    FROM league_results(as_of) WHERE person IS NOT NULL
  ), totals AS (
    SELECT person, any_value(player) AS player, sum(points) AS exact_points, round(exact_points, 6) AS points, count(DISTINCT id) AS games,
      round(coalesce(sum(credit) FILTER (won), 0), 6) AS wins, round(coalesce(sum(credit) FILTER (drawn), 0), 6) AS draws,
      round(coalesce(sum(credit) FILTER (NOT won AND NOT drawn), 0), 6) AS losses, round(sum(difference * credit), 6) AS difference,
      round(sum(score * credit), 6) AS score, round(sum(points) / sum(credit), 6) AS per_game,
      count(DISTINCT id) FILTER (walkover AND place > 1) AS forfeits
    FROM results GROUP BY person
    UNION ALL BY NAME
    SELECT person, player, 0.0 AS exact_points, 0.0 AS points, 0 AS games, 0.0 AS wins, 0.0 AS draws, 0.0 AS losses, 0 AS forfeits
    FROM league_people ANTI JOIN results USING (person)
  ), opponents AS (
    SELECT results.person, round(sum(results.credit * others.credit * totals.exact_points), 6) AS buchholz,
      round(sum(results.credit * others.credit * totals.exact_points
        * CASE WHEN results.place < others.place THEN 1 WHEN results.place = others.place THEN 0.5 ELSE 0 END), 6) AS sonneborn_berger
    FROM results JOIN results AS others
        ON others.id = results.id AND others.person <> results.person AND coalesce(others.seat <> results.seat, true)
      JOIN totals ON totals.person = others.person
    GROUP BY results.person
  ), people AS MATERIALIZED (
    SELECT totals.* EXCLUDE (exact_points), coalesce(buchholz, 0) AS buchholz, coalesce(sonneborn_berger, 0) AS sonneborn_berger
    FROM totals LEFT JOIN opponents USING (person)
  ), levels AS (
    SELECT person, 0 AS level, rank() OVER (ORDER BY points DESC) AS standing, NULL::DOUBLE AS head_to_head FROM people
    UNION ALL
    SELECT person, level + 1, standing + rank() OVER (PARTITION BY standing ORDER BY value DESC NULLS LAST) - 1, if(head, value, head_to_head)
    FROM (
      SELECT before.person, before.level, before.standing, before.head_to_head, league.tie_breaks[before.level + 1] = 'head_to_head' AS head,
        CASE league.tie_breaks[before.level + 1]
          WHEN 'head_to_head' THEN CASE WHEN count(*) OVER (PARTITION BY before.standing) > 1 THEN coalesce((
            SELECT round(sum(results.points), 6) FROM results
            WHERE results.person = before.person AND results.id IN (
              SELECT met.id FROM results AS met JOIN levels AS tied ON tied.person = met.person
              WHERE tied.standing = before.standing AND tied.person <> before.person)), 0) END
          WHEN 'wins' THEN wins WHEN 'sonneborn_berger' THEN sonneborn_berger WHEN 'buchholz' THEN buchholz
          WHEN 'difference' THEN difference WHEN 'score' THEN score WHEN 'per_game' THEN per_game WHEN 'games' THEN games
          WHEN 'forfeits' THEN -forfeits END AS value
      FROM levels AS before JOIN people USING (person) CROSS JOIN league WHERE before.level < len(league.tie_breaks)
    )
  )
  SELECT levels.standing AS rank, people.*, levels.head_to_head
  FROM levels JOIN people USING (person) CROSS JOIN league WHERE levels.level = len(league.tie_breaks);
