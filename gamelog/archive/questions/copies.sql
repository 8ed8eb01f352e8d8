-- The same game twice
-- Which finished games are in the archive under several ids, as two score sheets of one table are? The first one counts.
-- $game VARCHAR = NULL: only this game
SELECT g.game, g.copy_of AS id, first.path, g.id AS copy, g.path AS copy_path, first.started, g.started AS copy_started
FROM games AS g JOIN games AS first ON first.id = g.copy_of
WHERE $game IS NULL OR g.game = $game
ORDER BY g.game, g.copy_of, g.id
