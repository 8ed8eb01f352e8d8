-- Records with findings
-- What is wrong, in which file, at which event, and in what words? Errors first.
-- $game VARCHAR = NULL: only this game
SELECT files.path, files.member, files.id, game, status, severity, code, n, rule, message
FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
WHERE $game IS NULL OR game = $game
ORDER BY severity, files.path, files.member, n
