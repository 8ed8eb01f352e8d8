-- Games of the league still to be played
-- Which games of the league are still to be played?
-- A pairing of a round is played if a game of that round began with the same people. Without pairings, the league may fix the number of
-- games that each two people play against each other (meetings).
-- @table round, people, games
-- $as_of DATE = NULL: the games that were missing after this day
WITH results AS (FROM settled.league_results($as_of)), played AS (
  SELECT any_value(round) AS round, list_sort(any_value(people)) AS people, any_value(players) AS players FROM results GROUP BY id
), paired AS (
  SELECT position, any_value(league_rounds.round) AS round, league_pairings.people, count(*) AS games
  FROM league_pairings JOIN league_rounds USING (position) GROUP BY position, league_pairings.people
), missing AS (
  SELECT paired.position, paired.round, paired.people, paired.games - count(played.people) AS games
  FROM paired LEFT JOIN played ON played.round = paired.round AND played.people = paired.people
  GROUP BY paired.position, paired.round, paired.people, paired.games
  UNION ALL
  SELECT NULL, NULL, list_sort([own.person, other.person]), any_value(league.meetings) - count(played.people)
  FROM league CROSS JOIN settled.league_table($as_of) AS own JOIN settled.league_table($as_of) AS other ON own.person < other.person
    LEFT JOIN played ON played.players = 2 AND played.people = list_sort([own.person, other.person])
  WHERE league.meetings IS NOT NULL AND NOT EXISTS (FROM league_pairings)
  GROUP BY own.person, other.person
), named AS (
  SELECT missing.position, missing.round, missing.games, missing.people AS persons, list(coalesce(names.player, someone) ORDER BY names.player) AS people
  FROM (SELECT *, unnest(people) AS someone FROM missing WHERE games > 0) AS missing
    LEFT JOIN league_names() AS names ON names.person = missing.someone
  GROUP BY ALL
)
SELECT round, people, games FROM named ORDER BY position, people, persons
