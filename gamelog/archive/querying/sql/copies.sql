-- The same game twice
-- Which records are of one game, for example two score sheets of one table, and which may be?
-- If certainty is sure, the record id counts and the copy does not. If it is maybe, both count, and reason says why they may be
-- one game. Each record is compared only with the few that are most like it, so each has at most nine rows with maybe. Games of
-- bots are left out. names and copy_names are the people as each record names them, in the order of the seats.
WITH people_by_game AS MATERIALIZED (
  SELECT id, seated, names_in_common, names, started, started::DATE AS day, play, beginning, finished,
    counted AND people AND play IS NOT NULL AND started IS NOT NULL AS compared, evidence(decisions, chances) >= enough_evidence() AS enough
  FROM games JOIN (
    SELECT id, sum(decisions) AS decisions, bool_or(bot IS NULL) AS people, list(coalesce(person, '') ORDER BY position) AS seated,
      list(same_name ORDER BY position) AS names_in_common, list(name ORDER BY position) AS names
    FROM seats GROUP BY id
  ) USING (id)
), same_play AS ( -- the same play by the same people, in order of time
  SELECT lag(id) OVER played AS id, id AS copy, day - lag(day) OVER played AS days_apart, enough
  FROM people_by_game WHERE compared WINDOW played AS (PARTITION BY play, seated ORDER BY started, id)
), near_play AS ( -- the same play on neighbouring days; sorted so that people with near names (gamelog people) are neighbours
  SELECT *, unnest(list({'id': id, 'started': started, 'seated': seated, 'names_in_common': names_in_common}) OVER (
    PARTITION BY play, days ORDER BY list_sort(names_in_common), started, id ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING)) AS other
  FROM (FROM (SELECT *, unnest([day, day + 1]) AS days FROM people_by_game WHERE compared AND enough) QUALIFY count(*) OVER (PARTITION BY play, days) > 1)
), same_beginning AS MATERIALIZED ( -- plays by the same people on neighbouring days, with the same beginning
  FROM (SELECT *, unnest([day, day + 1]) AS days FROM people_by_game WHERE compared AND beginning IS NOT NULL)
  QUALIFY count(*) OVER (PARTITION BY beginning, seated, days) > 1
), neighbours AS ( -- sorted by play, because a play then has most in common with one of its neighbours
  SELECT *, lag(id) OVER plays AS before, lag(line) OVER plays AS line_before
  FROM same_beginning JOIN (
    SELECT id, list(hash(seat, kind, list_sort(regexp_extract_all(data::VARCHAR, '[^][{},]+'))) ORDER BY n) AS line,
      list(evidence((decision IS NOT NULL)::INTEGER, chance::INTEGER) ORDER BY n) AS weights
    FROM events
    WHERE id IN (SELECT id FROM same_beginning) AND stands AND NOT slip AND (NOT starts_with(kind, '@') OR kind = '@resign')
    GROUP BY id
  ) USING (id)
  WINDOW plays AS (PARTITION BY beginning, seated, days ORDER BY line, finished, started DESC, id DESC)
), common_events AS (
  SELECT before, id, line, line_before, weights,
    coalesce(list_position(list_transform(list_zip(line, line_before), lambda pair: pair[1] IS NOT DISTINCT FROM pair[2]), false) - 1,
      len(line)) AS events
  FROM neighbours WHERE before IS NOT NULL
), pairs AS (
  SELECT id, copy, 'maybe' AS certainty,
    CASE WHEN enough THEN 'the same people and play, but not on neighbouring days'
      ELSE 'the same people and play, but too short to be sure' END AS reason
  FROM same_play WHERE id IS NOT NULL AND enough = (days_apart > 1)
  UNION
  SELECT if(later, other.id, near_play.id), if(later, near_play.id, other.id), 'maybe',
    CASE WHEN list_sort(seated) = list_sort(other.seated) THEN 'the same play, with the people at other seats'
      ELSE 'the same play, with names that are nearly the same' END
  FROM near_play, LATERAL (SELECT (started, id) > (other.started, other.id) AS later)
  WHERE seated <> other.seated AND (list_sort(seated) = list_sort(other.seated) OR NOT EXISTS (
    FROM (SELECT unnest(seated) AS one, unnest(other.seated) AS another)
    WHERE one <> '' AND another <> '' AND one <> another AND (one, another) NOT IN (SELECT (person, other) FROM settled.near_people)))
  UNION
  SELECT if(swapped, common_events.id, first.id), if(swapped, first.id, common_events.id), 'maybe',
    if(is_beginning, 'the beginning of the other by the same people, but too short to be sure', 'the same people, and plays that begin alike')
  FROM (
    SELECT id, before, list_sum(weights[:events]) >= enough_evidence() AS enough, events = len(line_before) AS is_complete,
      2 * events >= least(len(line), len(line_before)) AS is_half
    FROM common_events
  ) AS common_events JOIN people_by_game AS first ON first.id = before JOIN people_by_game AS second ON second.id = common_events.id,
    LATERAL (SELECT is_complete AND NOT first.finished AND NOT common_events.enough AS is_beginning,
      is_beginning OR (first.started, first.id) > (second.started, second.id) AS swapped)
  WHERE first.play <> second.play AND (is_beginning OR (common_events.enough AND is_half))
  UNION
  SELECT copy.copy_of, copy.id, 'sure', CASE WHEN copy.play = first.play THEN 'the same people and play on neighbouring days'
    ELSE 'the beginning of the other by the same people on neighbouring days' END
  FROM games AS copy JOIN games AS first ON first.id = copy.copy_of
)
SELECT copy_game.game, variant, first.id, first.path, first_people.names, copy_game.id AS copy, copy_game.path AS copy_path, copy_people.names AS copy_names,
  first.started, copy_game.started AS copy_started, certainty, pairs.reason AS reason
FROM pairs JOIN $picked AS copy_game ON copy_game.id = pairs.copy JOIN games AS first ON first.id = pairs.id
  LEFT JOIN people_by_game AS first_people ON first_people.id = first.id LEFT JOIN people_by_game AS copy_people ON copy_people.id = copy_game.id
ORDER BY copy_game.game, first.id, copy_game.id, pairs.reason
