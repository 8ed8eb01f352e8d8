"""Who may have sat at which table, for those who look for two records of one game."""

from __future__ import annotations

EVIDENCE = 12
"""What a play needs to be told from another: a decision counts 1, a roll or a draw 3."""

WEIGHED = f"""
  SELECT *, decisions + 3 * chances AS evidence,
    valid AND (parent IS NULL OR parent NOT IN (SELECT id FROM games)) AS whole
  FROM (SELECT *, started::DATE AS day FROM games WHERE play IS NOT NULL AND started IS NOT NULL) JOIN (
    SELECT id, sum(decisions) AS decisions, bool_or(bot IS NULL) AS people,
      list({{'person': coalesce(person, ''), 'name': same_name}} ORDER BY position) AS seated
    FROM seats GROUP BY id
  ) USING (id)
  WHERE people AND evidence >= {EVIDENCE}
"""
"""The records of people that may be copies, with who sat at each seat."""

KNOWN = "regexp_matches(%s.person, '^(id|alias):')"

_SEATS = 4
"""Seats by which tables that may agree are found, for the ways to name people double with each;
all seats are then compared.
"""

SAID_AS = f"""
  list_reduce(list_transform(seated[:{_SEATS}], lambda one: list_distinct([
    CASE WHEN one.person = 'name:' || one.name THEN 'N' || one.name ELSE 'P' || one.person END,
    CASE WHEN {KNOWN % "one"} THEN '%s' ELSE '%s' END || one.name,
    CASE WHEN {KNOWN % "one"} THEN 'P' || one.person ELSE 'N' || one.name END
  ])), lambda ways, more: flatten(list_transform(ways, lambda way: list_transform(more, lambda next: way
    || chr(0) || next))))
"""
"""All ways to say who sat at the first seats: two tables that agree have one in common.

At each seat the person is the same (``P``), or the name, where neither is known by an id (``N``) or only one
of both is (the other two letters, exchanged between the two sides).
"""


def agree(one: str, other: str) -> str:
    """Return the condition that the same people sat at two tables.

    People are the same by id or alias, or by name if one of the two has neither.
    """
    return f"""list_bool_and(list_transform(list_zip({one}, {other}), lambda pair:
    pair[1].person = pair[2].person OR (pair[1].name = pair[2].name
      AND NOT ({KNOWN % "pair[1]"} AND {KNOWN % "pair[2]"}))))"""
