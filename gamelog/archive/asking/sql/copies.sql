-- The same game twice
-- Which finished games are in the archive under several ids, as two score sheets of one table are? The first one counts.
-- names and copy_names are the people as each of the two calls them, in the order of the seats.
WITH named AS (SELECT id, list(name ORDER BY position) AS names FROM seats GROUP BY id)
SELECT g.game, variant, g.copy_of AS id, first.path, named.names, g.id AS copy, g.path AS copy_path, copies.names AS copy_names,
  first.started, g.started AS copy_started
FROM $picked AS g JOIN games AS first ON first.id = g.copy_of
  LEFT JOIN named ON named.id = first.id LEFT JOIN named AS copies ON copies.id = g.id
ORDER BY g.game, g.copy_of, g.id
