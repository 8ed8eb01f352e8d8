-- Turning points
-- Which rolls and choices changed the chances in each game, and which other choice would have been better?
-- Only games with an analysis are used (gamelog analyse). Playouts confirmed each of these changes: if nothing happened in a game, one
-- analysis in twenty or fewer names a turning point. seat is the seat whose chance changed most, and change is how much, with its
-- standard error. cause is luck (a roll), choice (a decision) or other. decider is the seat that chose. For a choice, alternative is the
-- best other event that was found, gain is the chance of the decider after it less the chance after the choice, and better says whether
-- the gain exceeds its error. Chances are those if all seats go on like the bot of the analysis.
-- $record VARCHAR = NULL: only the game of this record
SELECT g.game, variant, g.id, started, swings.n, turn, kind, swings.seat, person.player, change, error, cause, decider, chooser.player AS decider_player,
  alternative, alternative_chance, gain, is_better AS better
FROM $counted_games AS g JOIN swings ON swings.id = g.id
  LEFT JOIN events ON events.id = swings.id AND events.n = swings.n
  LEFT JOIN sittings AS person ON person.id = swings.id AND person.seat = swings.seat AND swings.n >= person.from_n AND swings.n <= coalesce(person.to_n, swings.n)
  LEFT JOIN sittings AS chooser ON chooser.id = swings.id AND chooser.seat = decider AND swings.n >= chooser.from_n AND swings.n <= coalesce(chooser.to_n, swings.n)
WHERE $record IS NULL OR g.id = $record
ORDER BY g.game, variant, started DESC, g.id, swings.n
