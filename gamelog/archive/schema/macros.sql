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
  WITH stayed AS (
    SELECT id, seat, person, any_value(player) AS player, any_value(bot) AS bot, max_by(name, from_n) AS name,
      max_by(same_name, from_n) AS same_name, coalesce(sum(decisions), 0) AS made,
      min(from_n) FILTER (decisions > 0) AS began, max(from_n) FILTER (decisions > 0) AS ended, max(from_n) AS came
    FROM stays GROUP BY id, seat, person
  ), parts AS (
    SELECT *, sum(made) OVER one AS all_made, count(*) FILTER (made > 0) OVER one AS deciders,
      row_number() OVER (PARTITION BY id, seat ORDER BY began NULLS LAST, came DESC) AS from_start,
      row_number() OVER (PARTITION BY id, seat ORDER BY ended DESC NULLS LAST, came DESC) AS from_end
    FROM stayed WINDOW one AS (PARTITION BY id, seat)
  ), makers AS (
    SELECT *, coalesce(credit_rule, 'none') = 'none' AND deciders > 1 AS shared,
      CASE WHEN credit_rule = 'share' AND all_made > 0 THEN made / all_made ELSE 1 END AS credit
    FROM parts
    WHERE CASE WHEN credit_rule = 'starter' THEN from_start = 1
      WHEN credit_rule = 'share' THEN made > 0 OR (all_made = 0 AND from_end = 1)
      WHEN coalesce(credit_rule, 'none') IN ('none', 'finisher') THEN from_end = 1
      ELSE error('credit must be starter, finisher, share or none') END
  )
  SELECT *, 1::DOUBLE AS credit FROM seats WHERE sitters = 1
  UNION ALL BY NAME
  SELECT seats.* REPLACE (CASE WHEN shared THEN '' ELSE makers.name END AS name,
      CASE WHEN shared THEN '' ELSE makers.same_name END AS same_name, CASE WHEN NOT shared THEN makers.person END AS person,
      CASE WHEN NOT shared THEN makers.player END AS player, CASE WHEN NOT shared THEN makers.bot END AS bot),
    makers.credit::DOUBLE AS credit
  FROM seats JOIN makers ON makers.id = seats.id AND makers.seat = seats.seat
  WHERE sitters > 1;

-- A number of games in words.
CREATE MACRO games_of(n) AS n::BIGINT || CASE WHEN n = 1 THEN ' game' ELSE ' games' END;

-- The certainty of a strength before any game: the inverse of its variance. The model assumes that strengths lie around their mean with
-- a standard deviation of 3, which is 521 points. This is wide enough not to distort a rating that is based on games.
CREATE MACRO before_any_game() AS 1 / 9;

-- The choices in these games, after Plackett and Luce. The winner is chosen from all who played. If a game gives places, the next place
-- is chosen from those that are left, and so on. Players who tie come in every order equally often. A team is one side, and so are
-- people who share the result of a seat by the credit_rule of `credited`.
-- Each row is one player (`number`) of one side that could be chosen in one `choice`: the player's `part` of the side's strength, the
-- `weight` of the side, the number of games in which it was `chosen`, and the number of times that the choice happened (`times`).
CREATE MACRO choices(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, credit_rule := 'none') AS TABLE
  WITH sat AS (
    SELECT id, game AS game_, variant AS variant_, player, coalesce('team ' || team, 'seat ' || seat) AS side,
      dense_rank() OVER (ORDER BY game, variant, player)::INTEGER AS number, coalesce(-place, share) AS ending,
      place IS NOT NULL OR share > 0 AS placed, credit / sum(credit) OVER (PARTITION BY id, side) AS part
    FROM played(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted)
      JOIN credited(credit_rule) USING (id)
    WHERE player IS NOT NULL AND share IS NOT NULL
  ), sides AS MATERIALIZED (
    SELECT id, side, max(ending) AS ending, bool_or(placed) AS placed, list({'number': number, 'part': part} ORDER BY number) AS members,
      count(*) OVER (PARTITION BY id, max(ending)) AS tied
    FROM sat GROUP BY id, side
  ), options AS ( -- each of the `tied` sides is first, second and so on equally often, when `gone` of the others are already chosen
    SELECT id, one.side, gone, one.members AS best, any_value(one.tied) AS tied, other.members,
      sum(CASE WHEN other.side = one.side OR other.ending < one.ending THEN 1 ELSE 1 - gone / (one.tied - 1) END) AS weight
    FROM sides AS one JOIN sides AS other USING (id), unnest(range(one.tied)) AS left_out(gone)
    WHERE one.placed AND other.ending <= one.ending
      AND (other.side = one.side OR other.ending < one.ending OR gone < one.tied - 1)
    GROUP BY id, one.side, gone, best, other.members
  ), asked AS (
    SELECT best, 1 / any_value(tied) AS times, list({'members': members, 'weight': weight} ORDER BY members) AS sides
    FROM options GROUP BY id, side, gone, best HAVING count(*) > 1
  ), counted AS (
    SELECT row_number() OVER () AS choice, sides, list({'members': best, 'times': times}) AS best, sum(times) AS times
    FROM (SELECT sides, best, sum(times) AS times FROM asked GROUP BY sides, best) GROUP BY sides
  ), offered AS (
    SELECT choice, best, times, unnest(sides) AS side, unnest(range(len(sides))) AS nth FROM counted
  ), shared AS (
    SELECT choice, nth AS side, unnest(side.members) AS member, side.weight AS weight, times,
      coalesce(list_sum(list_transform(list_filter(best, lambda one: one.members = side.members), lambda one: one.times)), 0) AS chosen
    FROM offered
  )
  SELECT choice, side, number, sum(member.part) AS part, any_value(weight) AS weight, any_value(chosen) AS chosen, any_value(times) AS times,
    any_value(game_) AS game, any_value(variant_) AS variant, any_value(player) AS player
  FROM shared JOIN (SELECT DISTINCT number, game_, variant_, player FROM sat) ON number = member.number GROUP BY choice, side, number;

-- The strengths that make these choices most likely, given the assumption before any game, as logarithms of odds around 0 in each
-- `circle`. A circle is a group of players who met, directly or through others. `met` lists the information that the games give on a
-- strength, by opponent, as if the strengths of the others were exact.
CREATE MACRO strengths(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, credit_rule := 'none') AS TABLE
  WITH RECURSIVE chosen AS MATERIALIZED (
    FROM choices(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted, credit_rule)
  ), won AS MATERIALIZED (
    SELECT number, any_value(game) AS game_, any_value(variant) AS variant_, any_value(player) AS player, sum(chosen * part) AS points
    FROM chosen GROUP BY number
  ), circles(number, circle) USING KEY (number) AS (
    SELECT number, number FROM won
    UNION
    SELECT chosen.number, min(least)
    FROM (SELECT choice, min(circle) AS least FROM chosen JOIN recurring.circles USING (number) GROUP BY choice)
      JOIN chosen USING (choice) JOIN recurring.circles AS known USING (number)
    GROUP BY chosen.number, known.circle HAVING min(least) < known.circle
  ), fitted(number, circle, round, strength, step, moving) USING KEY (number) AS ( -- a circle is left alone when it has converged
    SELECT number, circle, 0, 0::DOUBLE, 0::DOUBLE, 1::DOUBLE FROM circles
    UNION
    SELECT number, circle, round + 1, strength + next - avg(strength + next) OVER together, next, max(abs(next)) OVER together
    FROM (
      SELECT number, circle, round, strength, step / 2 + greatest(-1, least(1, (any_value(points) - sum(times * share) - before_any_game() * strength)
        / (sum(times * (square - share ** 2)) + before_any_game()))) AS next
      FROM (
        SELECT choice, number, any_value(times) AS times, sum(part * chance) AS share, sum(part ** 2 * chance) AS square
        FROM (
          SELECT choice, side, odds / sum(odds) OVER (PARTITION BY choice) AS chance
          FROM (
            SELECT choice, side, any_value(weight) * exp(sum(part * strength)) AS odds
            FROM chosen JOIN fitted USING (number) GROUP BY choice, side
          )
        ) JOIN chosen USING (choice, side)
        GROUP BY choice, number
      ) JOIN fitted USING (number) JOIN won USING (number)
      WHERE round < 500 AND moving > 1e-6
      GROUP BY number, circle, round, strength, step
    )
    WINDOW together AS (PARTITION BY circle)
  ), likely AS MATERIALIZED (
    SELECT choice, side, number, part, times, chance
    FROM (
      SELECT choice, side, odds / sum(odds) OVER (PARTITION BY choice) AS chance
      FROM (
        SELECT choice, side, any_value(weight) * exp(sum(part * strength)) AS odds
        FROM chosen JOIN fitted USING (number) GROUP BY choice, side
      )
    ) JOIN chosen USING (choice, side)
  ), met AS (
    SELECT number, other, sum(information) AS information
    FROM (
      SELECT one.number, other.number AS other, one.times * one.chance * one.part * other.part AS information
      FROM likely AS one JOIN likely AS other USING (choice, side)
      UNION ALL
      SELECT one.number, other.number, -one.times * one.share * other.share
      FROM (SELECT choice, number, any_value(times) AS times, sum(part * chance) AS share FROM likely GROUP BY choice, number) AS one
        JOIN (SELECT choice, number, sum(part * chance) AS share FROM likely GROUP BY choice, number) AS other USING (choice)
    )
    GROUP BY number, other
  )
  SELECT game_ AS game, variant_ AS variant, player, number, circle, strength, met.met
  FROM fitted JOIN won USING (number)
    JOIN (SELECT number, list({'other': other, 'information': information}) AS met FROM met GROUP BY number) AS met USING (number);

-- Ratings of the players in these games: 400 points are odds of ten to one, and the mean of each circle is 1500. The margin is half of
-- the 95 % interval of the distance from that mean. It is exact up to 100 players in a circle, because the whole matrix of information
-- is inverted (Gauss and Jordan). In larger circles only the uncertainty of the player's own opponents is included.
CREATE MACRO ratings(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, credit_rule := 'none') AS TABLE
  WITH RECURSIVE strong AS MATERIALIZED (
    SELECT *, count(*) OVER (PARTITION BY circle) AS size,
      row_number() OVER (PARTITION BY circle ORDER BY number) AS at_, dense_rank() OVER (PARTITION BY game, variant ORDER BY circle) AS nth
    FROM strengths(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted, credit_rule)
  ), met AS MATERIALIZED (
    SELECT number, one.other, one.information + if(number = one.other, before_any_game(), 0) AS information
    FROM (SELECT number, unnest(met) AS one FROM strong)
  ), inverted(number, circle, at_, step, line) USING KEY (number) AS (
    SELECT one.number, one.circle, one.at_, 0, list(coalesce(information, 0) ORDER BY other.at_)
    FROM strong AS one JOIN strong AS other USING (circle) LEFT JOIN met ON met.number = one.number AND met.other = other.number
    WHERE one.size <= 100
    GROUP BY one.number, one.circle, one.at_
    UNION
    SELECT one.number, circle, one.at_, one.step + 1,
      CASE WHEN one.at_ = by_.at_ THEN list_transform(by_.line, lambda x, i: if(i = by_.at_, 1, x) / by_.line[by_.at_])
        ELSE list_transform(one.line, lambda x, i: if(i = by_.at_, 0, x)
          - one.line[by_.at_] * if(i = by_.at_, 1, by_.line[i]) / by_.line[by_.at_]) END
    FROM inverted AS one JOIN inverted AS by_ USING (circle) WHERE by_.at_ = one.step + 1
  ), known AS (
    SELECT number, line[at_] - 1 / before_any_game() / size AS variance FROM inverted JOIN strong USING (number, at_)
    UNION ALL
    SELECT number, 1 / (any_value(own.information) - coalesce(sum(met.information ** 2 / theirs.information), 0))
    FROM strong JOIN met AS own USING (number) JOIN met USING (number) JOIN met AS theirs ON theirs.number = met.other
    WHERE size > 100 AND own.other = number AND met.other <> number AND theirs.other = theirs.number
    GROUP BY number
  )
  SELECT game, variant, player, nth AS circle, 1500 + 400 / ln(10) * strength AS rating,
    1.96 * 400 / ln(10) * sqrt(greatest(variance, 0)) AS margin
  FROM strong JOIN known USING (number);

-- The test of whether a seat (with `by_turn`, a place in the order of first turns) wins more than the strengths of its players explain. It
-- is the efficient score of a model in which winners are chosen by strength times an effect of the seat.
-- `compared` is the number of games with one winner in which all players have names. `won` and `expected` are victories in these games,
-- and `variance` is the variance of their difference. Both allow for strengths that come from the same games. `whole` is the variance
-- that exact strengths would give. `alike` is true if all seats of each game had the same player.
CREATE MACRO seat_effects(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, by_turn := false) AS TABLE
  WITH RECURSIVE strong AS MATERIALIZED (
    FROM strengths(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted)
  ), met AS MATERIALIZED (
    SELECT number, one.other, one.information + if(number = one.other, before_any_game(), 0) AS information
    FROM (SELECT number, unnest(met) AS one FROM strong)
  ), lines AS (
    SELECT id, game AS game_, variant AS variant_, players AS players_,
      list({'place': CASE WHEN by_turn THEN turn_order::VARCHAR ELSE seat END, 'player': player, 'won': won} ORDER BY player, seat) AS line
    FROM played(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted)
      JOIN credited('none') USING (id)
    WHERE len(winners) = 1
    GROUP BY id, game_, variant_, players_ HAVING count(player) = count(*)
  ), sat AS (
    SELECT nth, game_, variant_, players_, times, one.place, one.player, one.won
    FROM (
      SELECT row_number() OVER () AS nth, game_, variant_, players_, count(*) AS times, unnest(line) AS one
      FROM lines GROUP BY game_, variant_, players_, line
    )
  ), seen AS MATERIALIZED (
    SELECT nth, game_, variant_, players_, times, place, won, number, circle, strength,
      exp(coalesce(strength, 0)) / sum(exp(coalesce(strength, 0))) OVER line AS chance, -- players who only met themselves have no strength
      min(sat.player) OVER line = max(sat.player) OVER line AS alike,
      dense_rank() OVER (ORDER BY game_, variant_, players_, place) AS test
    FROM sat LEFT JOIN strong ON game = game_ AND strong.player = sat.player AND variant IS NOT DISTINCT FROM variant_
    WINDOW line AS (PARTITION BY nth)
  ), common AS MATERIALIZED ( -- the information that the effect of a seat and the strength of a player share
    SELECT test, number, sum(information) AS information
    FROM (
      SELECT test, number, times * chance AS information FROM seen WHERE number IS NOT NULL
      UNION ALL
      SELECT one.test, other.number, -one.times * one.chance * other.chance
      FROM seen AS one JOIN seen AS other USING (nth) WHERE other.number IS NOT NULL
    )
    GROUP BY test, number
  ), sought AS MATERIALIZED (
    SELECT test, number, circle, met.information AS own, coalesce(common.information, 0) AS information
    FROM (SELECT DISTINCT test, circle FROM common JOIN strong USING (number)) JOIN strong USING (circle)
      JOIN met USING (number) LEFT JOIN common USING (test, number)
    WHERE met.other = number
  ), solved(test, number, circle, round, x, rest, way, moving) USING KEY (test, number) AS ( -- by conjugate gradients
    SELECT test, number, circle, 0, 0::DOUBLE, information, information / own, 1::DOUBLE FROM sought
    UNION
    SELECT test, number, circle, round + 1, x + length * way, after,
      after / own + way * coalesce(sum(after ** 2 / own) OVER together / nullif(sum(rest ** 2 / own) OVER together, 0), 0),
      max(abs(after) / own) OVER together
    FROM (
      SELECT *, coalesce(sum(rest ** 2 / own) OVER together / nullif(sum(way * bent) OVER together, 0), 0) AS length,
        rest - length * bent AS after
      FROM (
        SELECT one.*, own, bent
        FROM solved AS one JOIN sought USING (test, number) JOIN (
          SELECT test, met.number, sum(met.information * way) AS bent
          FROM met JOIN solved ON solved.number = met.other GROUP BY test, met.number
        ) USING (test, number)
        WHERE round < 500 AND moving > 1e-7
      )
      WINDOW together AS (PARTITION BY test, circle)
    )
    WINDOW together AS (PARTITION BY test, circle)
  ), allowed AS (
    SELECT test, sum(x * coalesce(information, 0)) + before_any_game() * sum(x ** 2) AS known,
      before_any_game() * sum(x * strength) AS shrunk
    FROM solved JOIN strong USING (number) LEFT JOIN common USING (test, number) GROUP BY test
  ), counted AS (
    SELECT test, game_, variant_, players_, place, sum(times) AS compared, sum(times) FILTER (won) AS won, sum(times * chance) AS expected,
      sum(times * chance * (1 - chance)) AS whole, bool_and(alike) AS alike
    FROM seen GROUP BY test, game_, variant_, players_, place
  )
  SELECT game_ AS game, variant_ AS variant, players_ AS players, place, compared, coalesce(won, 0) AS won,
    expected + coalesce(shrunk, 0) AS expected, whole - coalesce(known, 0) AS variance, whole, alike
  FROM counted LEFT JOIN allowed USING (test)
  WHERE place IS NOT NULL;

-- The two-sided p-value of this number of victories: exact if all seats had the same player, otherwise by the normal approximation.
CREATE MACRO seat_p(won, compared, players, expected, variance, alike) AS
  CASE WHEN alike THEN binomial_p(won, compared, 1.0 / players) ELSE normal_p(won - expected, variance) END;

-- The reason for a missing p-value, with the number of games that are needed. `came` is a phrase for players who had the place.
CREATE MACRO seat_why(p, decided, compared, variance, whole, came) AS
  CASE WHEN p IS NOT NULL THEN NULL
       WHEN decided = 0 THEN 'none of the games has exactly one winner'
       WHEN coalesce(compared, 0) = 0 THEN 'in '
         || CASE WHEN decided = 1 THEN 'the only game' ELSE 'each of the ' || games_of(decided) END || ', a player has no name'
       WHEN variance < whole / 10 THEN 'the same players mostly ' || came || ', so that ' || games_of(compared)
         || ' cannot show whether they or the place won'
       ELSE games_of(compared) || ' with these players cannot show an effect; about '
         || ceil(compared * 5 / greatest(variance, 0.05))::BIGINT || ' are needed' END;
