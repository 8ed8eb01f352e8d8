-- @known_people
-- The people from single records.
SELECT DISTINCT key, same_name FROM @{schema}seats UNION SELECT DISTINCT key, same_name FROM @{schema}stays

-- @persons
-- The people across records, in a table with people.
UPDATE @{table} SET person = key
WHERE person IS DISTINCT FROM key AND (key, same_name) NOT IN (SELECT (key, same_name) FROM moved);
UPDATE @{table} SET person = moved.person FROM moved
WHERE moved.key = @{table}.key AND moved.same_name = @{table}.same_name AND @{table}.person IS DISTINCT FROM moved.person;
UPDATE @{table} SET player = substr(person, 4)
WHERE starts_with(person, 'id:') AND player IS DISTINCT FROM substr(person, 4)

-- @best
-- The most frequent spelling of the name of each person without an id. The characters are white space for Python.
  SELECT person, first(player ORDER BY times DESC, player) AS player
  FROM (
    SELECT person, nfc_normalize(trim(regexp_replace(name, '[\s\p{Z}\x{0b}\x{1c}-\x{1f}\x{85}]+', ' ', 'g'))) AS player,
      count(*) AS times
    FROM @{sitters} WHERE starts_with(person, 'name:') GROUP BY ALL
  )
  GROUP BY person

-- @sitting
-- The people at the seats of an archive.
(SELECT person, name FROM seats WHERE sitters = 1 UNION ALL SELECT person, name FROM stays)

-- @spelling
-- The names of people in a table with people.
UPDATE @{table} SET player = best.player FROM (@{best}) AS best
WHERE best.person = @{table}.person AND @{table}.player IS DISTINCT FROM best.player

-- @repeated
-- The records whose play another record has too. Hashes take a third of the memory of plays. A record whose play has
-- the same hash as another play does no harm, because the search compares plays.
CREATE TEMP TABLE repeated AS
SELECT id FROM games
WHERE play IS NOT NULL AND hash(play) IN (
  SELECT hash(play) AS key FROM games WHERE play IS NOT NULL GROUP BY key HAVING count(*) > 1
)

-- @has_similar
-- Whether any two records may be of one game.
SELECT EXISTS (FROM repeated) OR EXISTS (FROM beginnings)

-- @parents
-- The records of the archive from which another record was branched off.
SELECT id FROM games WHERE id IN (SELECT parent FROM games WHERE parent IS NOT NULL)

-- @weighed
-- The records of people in a table of ids that may be copies, with the people at their seats. DuckDB holds the lists of
-- people in memory, so the seats of all other records are left out first.
  SELECT *, valid AND (parent IS NULL OR parent NOT IN (@{parents})) AS whole
  FROM (SELECT *, started::DATE AS day FROM games WHERE play IS NOT NULL AND started IS NOT NULL) JOIN (
    SELECT id, sum(decisions) AS decisions, list(coalesce(person, '') ORDER BY position) AS seated
    FROM seats WHERE id IN (SELECT id FROM seats JOIN @{similar} USING (id) WHERE bot IS NULL) GROUP BY id
  ) USING (id)
  WHERE evidence(decisions, chances) >= enough_evidence()

-- @origins
-- For each record with the same play and people as another one on neighbouring days, the first such record.
CREATE TEMP TABLE origins AS
SELECT id, origin
FROM (
  SELECT id,
    first_value(id) OVER (
      PARTITION BY play, seated, days ORDER BY whole DESC, valid DESC, started, id
    ) AS origin
  FROM (
    SELECT *, sum(begins) OVER (PARTITION BY play, seated ORDER BY day, id ROWS UNBOUNDED PRECEDING) AS days
    FROM (
      SELECT *, if(day - lag(day) OVER (PARTITION BY play, seated ORDER BY day, id) <= 1, 0, 1) AS begins
      FROM (@{weighed})
    )
  )
)
WHERE id <> origin

-- @same
-- For each copy, the record that counts instead.
CREATE TEMP TABLE same AS
WITH longer AS (
  SELECT begun.id, coalesce(origin, longest.longer, begun.longer) AS longer
  FROM begun LEFT JOIN begun AS longest ON longest.id = begun.longer
    LEFT JOIN origins ON origins.id = coalesce(longest.longer, begun.longer)
)
SELECT id, coalesce(own.longer, others.longer, origin) AS same
FROM (SELECT id FROM origins UNION SELECT id FROM begun) LEFT JOIN origins USING (id)
  LEFT JOIN longer AS own USING (id) LEFT JOIN longer AS others ON others.id = origin

-- @no_copies
-- The table of copies if there are none.
CREATE TEMP TABLE same (id VARCHAR, same VARCHAR)

-- @fresh
-- For each record, the record of which it is a copy, and whether it counts.
  SELECT games.id, same.same AS copy_of,
    valid AND same.same IS NULL AND (parent IS NULL OR parent NOT IN (@{parents}))
      AND games.id NOT IN (SELECT id FROM findings WHERE code = $fork AND id IS NOT NULL) AS counted
  FROM games LEFT JOIN same ON same.id = games.id

-- @count
-- The copies and the records that count, in an archive.
UPDATE games SET copy_of = fresh.copy_of, counted = fresh.counted FROM (@{fresh}) AS fresh
WHERE fresh.id = games.id
  AND (games.copy_of IS DISTINCT FROM fresh.copy_of OR games.counted IS DISTINCT FROM fresh.counted)

-- @numbers
-- The numbers of records: all, those that count, copies, and forks.
SELECT count(*), count(*) FILTER (counted), count(copy_of), count(*) FILTER (id IN (SELECT id
  FROM findings WHERE code = $fork))
FROM games

-- @stored_people
-- The people at the seats of an archive, by a file of aliases.
(
  SELECT coalesce(moved.person, stored.key) AS person, stored.name, stored.player
  FROM (
    SELECT key, same_name, name, player FROM memory.main.seats WHERE sitters = 1
    UNION ALL SELECT key, same_name, name, player FROM memory.main.stays
  ) AS stored LEFT JOIN settled.moved ON moved.key = stored.key AND moved.same_name = stored.same_name
)

-- @spelled
-- The names of people that differ from the names in an archive.
CREATE TABLE settled.spelled AS
SELECT DISTINCT best.person, best.player FROM (@{best}) AS best
  JOIN @{stored_people} AS stored USING (person)
WHERE stored.player IS DISTINCT FROM best.player

-- @seated
-- A table with people, by a file of aliases.
CREATE TEMP VIEW @{table} AS SELECT stored.* REPLACE (
  coalesce(moved.person, stored.key, stored.person) AS person,
  coalesce(moved.called, spelled.player, stored.player) AS player)
FROM memory.main.@{table} AS stored
  LEFT JOIN settled.moved ON moved.key = stored.key AND moved.same_name = stored.same_name
  LEFT JOIN settled.spelled ON spelled.person = coalesce(moved.person, stored.key)

-- @recounted
-- The records whose state as a copy, or whether they count, differs from an archive.
CREATE TABLE settled.recounted AS
SELECT fresh.id, fresh.copy_of, fresh.counted FROM (@{fresh}) AS fresh JOIN games USING (id)
WHERE games.copy_of IS DISTINCT FROM fresh.copy_of OR games.counted IS DISTINCT FROM fresh.counted

-- @counted
-- The records with the state that was worked out for this connection.
CREATE TEMP VIEW games AS SELECT stored.* REPLACE (
  CASE WHEN recounted.id IS NULL THEN stored.copy_of ELSE recounted.copy_of END AS copy_of,
  CASE WHEN recounted.id IS NULL THEN stored.counted ELSE recounted.counted END AS counted)
FROM memory.main.games AS stored LEFT JOIN settled.recounted ON recounted.id = stored.id
