-- Statistics that the stock questions share. Every archive has these macros, so other questions can use them too.

-- The 95 % interval of the share k of n, after Wilson.
CREATE MACRO wilson_low(k, n) AS
  CASE WHEN n > 0 THEN greatest(0.0, ((k + 1.920729410347062) - 1.959963984540054 * sqrt(k::DOUBLE * (n - k) / n + 0.960364705173531))
    / (n + 3.841458820694124)) END;
CREATE MACRO wilson_high(k, n) AS
  CASE WHEN n > 0 THEN least(1.0, ((k + 1.920729410347062) + 1.959963984540054 * sqrt(k::DOUBLE * (n - k) / n + 0.960364705173531))
    / (n + 3.841458820694124)) END;

-- The probability of exactly k successes of n, each with chance p between 0 and 1.
CREATE MACRO binomial(k, n, p) AS
  exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * ln(p) + (n - k) * ln(1.0 - p));

-- The exact two-sided p-value of k successes of n at chance p: the sum over all counts that are at most as likely. Counts more than
-- 40 standard deviations from the mean are left out, because a double cannot distinguish their sum from 0.
CREATE MACRO binomial_p(k, n, p) AS
  CASE WHEN n > 0 AND p > 0 AND p < 1 THEN least(1.0, coalesce(list_sum(list_filter(
    list_transform(
      range(greatest(0, floor(n * p - 40 * sqrt(n * p * (1 - p)) - 100))::BIGINT,
        least(n, ceil(n * p + 40 * sqrt(n * p * (1 - p)) + 100))::BIGINT + 1),
      lambda i: binomial(i, n, p)),
    lambda q: q <= binomial(k, n, p) * 1.0000001)), 0.0)) END;

-- The probability that chi-square with df degrees of freedom is x or more: 1 minus the lower incomplete gamma function, summed as
-- its series. The result is accurate to 1e-12, and smaller probabilities become 0.
CREATE MACRO chi2_p(x, df) AS
  CASE WHEN df <= 0 THEN NULL
       WHEN x <= 0 THEN 1.0
       WHEN x > df + 40 * sqrt(2.0 * df) + 100 THEN 0.0
       ELSE greatest(0.0, 1.0 - list_sum(list_transform(
         range(0, (x + 20 * sqrt(x) + 100)::BIGINT),
         lambda i: exp((df / 2.0 + i) * ln(x / 2.0) - x / 2.0 - lgamma(df / 2.0 + i + 1.0))))) END;

-- The two-sided p-value of a count at this distance from its expectation, by the normal approximation with correction for
-- continuity. NULL if the variance is below 5, because the approximation does not hold then.
CREATE MACRO normal_p(distance, variance) AS
  CASE WHEN variance >= 5 THEN chi2_p(greatest(abs(distance) - 0.5, 0.0) ** 2 / variance, 1) END;

-- A p-value corrected for the number of tests, after Bonferroni.
CREATE MACRO bonferroni(p, tests) AS CASE WHEN p IS NOT NULL THEN least(1.0, p * greatest(1.0, tests)) END;

-- The chance to win with this difference of strength, after Bradley and Terry. Strength is the logarithm of odds.
CREATE MACRO chance(difference) AS 1 / (1 + exp(-(difference)));

-- The evidence that two equal plays are of one game: 1 for each decision, 3 for each roll or draw. Copies need enough_evidence().
CREATE MACRO evidence(decisions, chances) AS decisions + 3 * chances;
CREATE MACRO enough_evidence() AS 12;

-- The records that a question chooses by game, time, number of seats, people or bots, version of the rules, and options (a JSON
-- object of their values). variant divides the rows: it is the version of the rules or the value of an option, if asked for.
CREATE MACRO picked(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL) AS TABLE
  SELECT *, CASE WHEN by_variant IS NULL THEN NULL WHEN by_variant = 'rules' THEN rules
      WHEN starts_with(by_variant, 'option=') THEN options->>substr(by_variant, 8)
      ELSE error('by must be rules, or option=NAME') END AS variant
  FROM games
  WHERE (of_game IS NULL OR game = of_game) AND (of_players IS NULL OR players = of_players)
    AND (since IS NULL OR started >= since) AND (until IS NULL OR started < until) AND (of_rules IS NULL OR rules = of_rules)
    AND (with_options IS NULL OR list_bool_and(list_transform(json_keys(with_options),
      lambda name: options->>name IS NOT DISTINCT FROM with_options->>name)))
    AND CASE
      WHEN who IS NULL THEN true
      WHEN who NOT IN ('people', 'bots', 'mixed') THEN error('who must be people, bots or mixed')
      ELSE id IN (
        SELECT id FROM (SELECT id, bot FROM seats UNION ALL SELECT id, bot FROM stays) GROUP BY id
        HAVING who = CASE count(bot) WHEN 0 THEN 'people' WHEN count(*) THEN 'bots' ELSE 'mixed' END
      ) END;

-- The chosen records that count, or also those that do not (disputed, copies, branches, forks). Records without a play (illegal,
-- damaged, torn, unknown) are always left out.
CREATE MACRO counted_games(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false) AS TABLE
  SELECT * FROM picked(of_game, since, until, of_players, who, of_rules, with_options, by_variant)
  WHERE counted OR (uncounted AND turns IS NOT NULL);

-- Whether a result came by play: the game reached its end, or players resigned or agreed after two seats had decided something.
CREATE MACRO made_by_play(result_by) AS result_by IN ('play', 'resignation', 'agreement');

-- Whether a game was played to its end and recorded completely.
CREATE MACRO to_the_end(result_by, gaps) AS result_by = 'play' AND gaps = 0;

-- Whether a bot plays in a game. The times of bots are invented, so such a game has no time of play.
CREATE MACRO has_bot(of_id) AS of_id IN (SELECT id FROM seats WHERE bot IS NOT NULL UNION ALL SELECT id FROM stays WHERE bot IS NOT NULL);

-- The counted games with a result by play. Walkovers and games ended by a ruling are left out.
CREATE MACRO played(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false) AS TABLE
  SELECT * FROM counted_games(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted)
  WHERE finished AND made_by_play(result_by);

-- The seats with the people who get their results. If several people sat at a seat, only people who decided something there count (or
-- the last person, if none did). If several decided something, credit_rule chooses who gets the result:
--   starter, finisher  the first or the last of them
--   share              each of them in a row of their own, with their part of the decisions in the column credit
--   none               no one: the player is NULL
CREATE MACRO credited(credit_rule := 'none') AS TABLE
  WITH people_at_seats AS (
    SELECT id, seat, person, any_value(player) AS player, any_value(bot) AS bot, max_by(name, from_n) AS name,
      max_by(same_name, from_n) AS same_name, sum(decisions) AS decided,
      min(from_n) FILTER (decisions > 0) AS began, max(from_n) FILTER (decisions > 0) AS ended, max(from_n) AS last_from_n
    FROM stays GROUP BY id, seat, person
  ), parts AS (
    SELECT *, sum(decided) OVER at_seat AS all_decided, count(*) FILTER (decided > 0) OVER at_seat AS deciders,
      row_number() OVER (PARTITION BY id, seat ORDER BY began NULLS LAST, last_from_n DESC) AS from_start,
      row_number() OVER (PARTITION BY id, seat ORDER BY ended DESC NULLS LAST, last_from_n DESC) AS from_end
    FROM people_at_seats WINDOW at_seat AS (PARTITION BY id, seat)
  ), credited_people AS (
    SELECT *, coalesce(credit_rule, 'none') = 'none' AND deciders > 1 AS shared,
      CASE WHEN credit_rule = 'share' AND all_decided > 0 THEN decided / all_decided ELSE 1 END AS credit
    FROM parts
    WHERE CASE WHEN credit_rule = 'starter' THEN from_start = 1
      WHEN credit_rule = 'share' THEN decided > 0 OR (all_decided = 0 AND from_end = 1)
      WHEN coalesce(credit_rule, 'none') IN ('none', 'finisher') THEN from_end = 1
      ELSE error('credit must be starter, finisher, share or none') END
  )
  SELECT *, 1::DOUBLE AS credit FROM seats WHERE sitters = 1
  UNION ALL BY NAME
  SELECT seats.* REPLACE (CASE WHEN shared THEN '' ELSE credited_people.name END AS name,
      CASE WHEN shared THEN '' ELSE credited_people.same_name END AS same_name, CASE WHEN NOT shared THEN credited_people.person END AS person,
      CASE WHEN NOT shared THEN credited_people.player END AS player, CASE WHEN NOT shared THEN credited_people.bot END AS bot),
    credited_people.credit::DOUBLE AS credit
  FROM seats JOIN credited_people ON credited_people.id = seats.id AND credited_people.seat = seats.seat
  WHERE sitters > 1;

-- The different line-ups of the games with a result by play: one row for each credited seat of one of the games with equal seats, players
-- and results. `lineup` numbers the line-ups, and `games` is the number of games with this line-up. With by_day, the games of each day (UTC)
-- have line-ups of their own, and with by_turn, the games of each order of turns. Games are compared by hashes of their seats, because
-- grouping by lists of seats takes ten times as long.
CREATE MACRO lineups(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, credit_rule := 'none', by_day := false, by_turn := false) AS TABLE
  WITH played_games AS MATERIALIZED (
    SELECT id, game, variant, players, len(winners) AS winners, if(by_day, started::DATE, NULL) AS day
    FROM played(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted)
  ), lines AS (
    SELECT id, list_sort(list(hash(game, variant, players, winners, day, seat, player, team, won, share, place, credit,
      if(by_turn, turn_order, NULL)))) AS line
    FROM played_games JOIN credited(credit_rule) USING (id) GROUP BY id
  ), kinds AS (
    SELECT row_number() OVER () AS lineup, id, games FROM (SELECT min(id) AS id, count(*) AS games FROM lines GROUP BY line)
  )
  SELECT lineup, games, game, variant, players, winners, day, seat, turn_order, player, team, won, share, place, credit
  FROM kinds JOIN played_games USING (id) JOIN credited(credit_rule) USING (id);

-- A number of games in words.
CREATE MACRO games_of(n) AS n::BIGINT || CASE WHEN n = 1 THEN ' game' ELSE ' games' END;
