-- @finish
-- A mark at the end of a finished play, which makes it longer than a sheet without the last line.
if(finished, [0::UBIGINT], [])

-- @beginnings
-- The records with the same beginning as another record, where one of them is not finished.
CREATE TEMP TABLE beginnings AS
SELECT id FROM games WHERE beginning IS NOT NULL AND hash(beginning) IN (
  SELECT hash(beginning) AS key FROM games WHERE beginning IS NOT NULL
  GROUP BY key HAVING count(*) > 1 AND NOT bool_and(finished)
)

-- @near_lines
-- The plays of the records in near as lists with a hash for each event. The order of dice makes no difference.
  SELECT id,
    list(hash(seat, kind, list_sort(regexp_extract_all(data::VARCHAR, '[^][{},]+'))) ORDER BY n) AS line
  FROM events
  WHERE id IN (SELECT id FROM near) AND stands AND NOT slip AND (NOT starts_with(kind, '@') OR kind = '@resign')
  GROUP BY id

-- @begun
-- For each record that is the beginning of another record by the same people, the longest record that continues it.
-- Only an unfinished record can be one. Records with the same beginning on neighbouring days are compared. They are
-- sorted by their plays, so that a play comes right before the plays that continue it, and few pairs have to be compared.
CREATE TEMP TABLE begun AS
WITH weighed AS MATERIALIZED (
  SELECT id, beginning, day, seated, finished, whole FROM (@{weighed})
), near AS MATERIALIZED (
  SELECT * FROM weighed WHERE (beginning, day) IN (
    SELECT (beginning, unnest([day - 1, day, day + 1])) FROM weighed WHERE NOT finished
  )
), lined AS MATERIALIZED (
  SELECT near.*, list_concat(line, @{finish}) AS line,
    dense_rank() OVER (PARTITION BY beginning ORDER BY list_concat(line, @{finish})) AS rank
  FROM near JOIN (@{near_lines}) AS lines USING (id)
), lines AS (SELECT DISTINCT beginning, rank, line FROM lined
), wholes AS (
  SELECT beginning, seated, days, rank, min(id) AS id,
    lead(rank) OVER (PARTITION BY beginning, seated, days ORDER BY rank) AS next
  FROM (SELECT *, unnest([day, day + 1]) AS days FROM lined WHERE whole)
  GROUP BY beginning, seated, days, rank
), marked AS (
  SELECT wholes.* EXCLUDE (next), false AS short,
    more.line IS NULL OR more.line[:len(own.line)] <> own.line AS longest
  FROM wholes JOIN lines AS own ON own.beginning = wholes.beginning AND own.rank = wholes.rank
    LEFT JOIN lines AS more ON more.beginning = wholes.beginning AND more.rank = wholes.next
  UNION ALL BY NAME
  SELECT beginning, seated, unnest([day, day + 1]) AS days, rank, id, true AS short, false AS longest
  FROM lined WHERE NOT finished
), found AS (
  SELECT id, short, first_value(CASE WHEN longest THEN id END IGNORE NULLS) OVER (
    PARTITION BY beginning, seated, days ORDER BY rank, short
    ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
  ) AS longer
  FROM marked
)
SELECT found.id, min(longer) AS longer
FROM found JOIN lined AS own ON own.id = found.id JOIN lined AS more ON more.id = longer
WHERE short AND more.rank > own.rank AND more.line[:len(own.line)] = own.line
GROUP BY found.id
