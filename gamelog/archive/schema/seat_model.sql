-- The seat model: whether seats win more than the strengths of their players explain.

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
  ), seat_results AS (
    SELECT lineup AS nth, game AS game_, variant AS variant_, players AS players_, games AS times, player, won,
      CASE WHEN by_turn THEN turn_order::VARCHAR ELSE seat END AS place
    FROM lineups(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted, by_turn := by_turn)
    WHERE winners = 1
    QUALIFY count(player) OVER (PARTITION BY lineup) = count(*) OVER (PARTITION BY lineup)
  ), seat_chances AS MATERIALIZED (
    SELECT nth, game_, variant_, players_, times, place, won, number, circle, strength,
      exp(coalesce(strength, 0)) / sum(exp(coalesce(strength, 0))) OVER line AS chance, -- players who only met themselves have no strength
      min(seat_results.player) OVER line = max(seat_results.player) OVER line AS alike,
      dense_rank() OVER (ORDER BY game_, variant_, players_, place) AS test
    FROM seat_results LEFT JOIN strong ON game = game_ AND strong.player = seat_results.player AND variant IS NOT DISTINCT FROM variant_
    WINDOW line AS (PARTITION BY nth)
  ), common AS MATERIALIZED ( -- the information that the effect of a seat and the strength of a player share
    SELECT test, number, sum(information) AS information
    FROM (
      SELECT test, number, times * chance AS information FROM seat_chances WHERE number IS NOT NULL
      UNION ALL
      SELECT one.test, other.number, -one.times * one.chance * other.chance
      FROM seat_chances AS one JOIN seat_chances AS other USING (nth) WHERE other.number IS NOT NULL
    )
    GROUP BY test, number
  ), unknowns AS MATERIALIZED (
    SELECT test, number, circle, met.information AS diagonal, coalesce(common.information, 0) AS information
    FROM (SELECT DISTINCT test, circle FROM common JOIN strong USING (number)) JOIN strong USING (circle)
      JOIN met USING (number) LEFT JOIN common USING (test, number)
    WHERE met.other = number
  ), solution(test, number, circle, round, x, residual, direction, moving) USING KEY (test, number) AS ( -- by conjugate gradients
    SELECT test, number, circle, 0, 0::DOUBLE, information, information / diagonal, 1::DOUBLE FROM unknowns
    UNION
    SELECT test, number, circle, round + 1, x + step * direction, next_residual,
      next_residual / diagonal + direction * coalesce(sum(next_residual ** 2 / diagonal) OVER together / nullif(sum(residual ** 2 / diagonal) OVER together, 0), 0),
      max(abs(next_residual) / diagonal) OVER together
    FROM (
      SELECT *, coalesce(sum(residual ** 2 / diagonal) OVER together / nullif(sum(direction * image) OVER together, 0), 0) AS step,
        residual - step * image AS next_residual
      FROM (
        SELECT one.*, diagonal, image
        FROM solution AS one JOIN unknowns USING (test, number) JOIN (
          SELECT test, met.number, sum(met.information * direction) AS image
          FROM met JOIN solution ON solution.number = met.other GROUP BY test, met.number
        ) USING (test, number)
        WHERE round < 500 AND moving > 1e-7
      )
      WINDOW together AS (PARTITION BY test, circle)
    )
    WINDOW together AS (PARTITION BY test, circle)
  ), corrections AS (
    SELECT test, sum(x * coalesce(information, 0)) + before_any_game() * sum(x ** 2) AS known,
      before_any_game() * sum(x * strength) AS shrunk
    FROM solution JOIN strong USING (number) LEFT JOIN common USING (test, number) GROUP BY test
  ), totals AS (
    SELECT test, game_, variant_, players_, place, sum(times) AS compared, sum(times) FILTER (won) AS won, sum(times * chance) AS expected,
      sum(times * chance * (1 - chance)) AS whole, bool_and(alike) AS alike
    FROM seat_chances GROUP BY test, game_, variant_, players_, place
  )
  SELECT game_ AS game, variant_ AS variant, players_ AS players, place, compared, coalesce(won, 0) AS won,
    expected + coalesce(shrunk, 0) AS expected, whole - coalesce(known, 0) AS variance, whole, alike
  FROM totals LEFT JOIN corrections USING (test)
  WHERE place IS NOT NULL;

-- The two-sided p-value of this number of victories: exact if all seats had the same player, otherwise by the normal approximation.
CREATE MACRO seat_p(won, compared, players, expected, variance, alike) AS
  CASE WHEN alike THEN binomial_p(won, compared, 1.0 / players) ELSE normal_p(won - expected, variance) END;

-- The number of games like these that a test of the place needs.
CREATE MACRO seat_needed(compared, variance) AS greatest(min_games(), ceil(compared * 5 / greatest(variance, 0.05))::BIGINT);

-- The reason for a missing p-value. `came` is a phrase for players who had the place, `needed` the number of games for a test.
CREATE MACRO seat_why(p, decided, compared, variance, whole, came, needed) AS
  CASE WHEN p IS NOT NULL THEN NULL
       WHEN decided = 0 THEN 'none of the games has exactly one winner'
       WHEN coalesce(compared, 0) = 0 THEN 'in '
         || CASE WHEN decided = 1 THEN 'the only game' ELSE 'each of the ' || games_of(decided) END || ', a player has no name'
       WHEN variance < whole / 10 THEN 'the same players mostly ' || came || ', so that ' || games_of(compared)
         || ' cannot show whether they or the place won'
       ELSE games_of(compared) || ' with these players cannot show an effect; about '
         || needed || ' are needed' END;
