-- Records with findings
-- What is wrong, in which file, and at which event?
-- Errors come first. Files that are not records have no game, time or seats. They are left out if you choose games, for example by
-- game or time.
SELECT files.path, files.member, files.id, files.game, status, severity, code, n, rule, message
FROM findings JOIN files ON files.path = findings.path AND files.member = findings.member
WHERE files.id IN (SELECT id FROM $picked)
  OR (coalesce($game, $who) IS NULL AND coalesce($since, $until) IS NULL AND $players IS NULL
    AND $rules IS NULL AND $option IS NULL AND $variant IS NULL)
ORDER BY severity, files.path, files.member, n
