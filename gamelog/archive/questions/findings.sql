-- Records with findings
-- What is wrong, in which file, at which event, and in what words? Errors first.
-- Files that are no records have no game, time or seats: whoever asks for one of these does not see them.
-- $game VARCHAR = NULL: only this game
-- $since TIMESTAMP = NULL: only what was begun then or later
-- $until TIMESTAMP = NULL: only what was begun before
-- $players INTEGER = NULL: only games of so many seats
-- $who VARCHAR = NULL: only games of people, of bots, or mixed
SELECT files.path, files.member, files.id, files.game, status, severity, code, n, rule, message
FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
WHERE files.id IN (SELECT id FROM picked($game, $since, $until, $players, $who))
  OR (coalesce($game, $who) IS NULL AND coalesce($since, $until) IS NULL AND $players IS NULL)
ORDER BY severity, files.path, files.member, n
