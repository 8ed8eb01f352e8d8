-- Ratings: the strengths of players, estimated from who finished before whom.

-- The certainty of a strength before any game: the inverse of its variance. The model assumes that strengths lie around their mean with
-- a standard deviation of 3, which is 521 points. This is wide enough not to distort a rating that is based on games.
CREATE MACRO before_any_game() AS 1 / 9;

-- The choices in these games, after Plackett and Luce. The winner is chosen from all who played. If a game gives places, the next place
-- is chosen from those that are left, and so on. Players who tie come in every order equally often. A team is one side, and so are
-- people who share the result of a seat by the credit_rule of `credited`.
-- Each row is one player (`number`) of one side that could be chosen in one `choice`: the player's `part` of the side's strength, the
-- `weight` of the side, the number of games in which it was `chosen`, and the number of times that the choice happened (`times`).
-- With by_day, the choices of each `day` (UTC) are rows of their own.
CREATE MACRO choices(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, credit_rule := 'none', by_day := false) AS TABLE
  WITH credited_seats AS MATERIALIZED (
    SELECT lineup, games, game AS game_, variant AS variant_, day AS day_, player, coalesce('team ' || team, 'seat ' || seat) AS side,
      dense_rank() OVER (ORDER BY game, variant, player)::INTEGER AS number, coalesce(-place, share) AS ending,
      place IS NOT NULL OR share > 0 AS placed, credit / sum(credit) OVER (PARTITION BY lineup, side) AS part
    FROM lineups(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted, credit_rule, by_day)
    WHERE player IS NOT NULL AND share IS NOT NULL
  ), sides AS MATERIALIZED (
    SELECT lineup, side, any_value(games) AS games, any_value(day_) AS day_, max(ending) AS ending, bool_or(placed) AS placed,
      list({'number': number, 'part': part} ORDER BY number) AS members, count(*) OVER (PARTITION BY lineup, max(ending)) AS tied
    FROM credited_seats GROUP BY lineup, side
  ), options AS ( -- each of the `tied` sides is first, second and so on equally often, when `gone` of the others are already chosen
    SELECT lineup, first_side.side, gone, first_side.members AS best, any_value(first_side.games) AS games, any_value(first_side.day_) AS day_,
      any_value(first_side.tied) AS tied, other_side.members,
      sum(CASE WHEN other_side.side = first_side.side OR other_side.ending < first_side.ending THEN 1 ELSE 1 - gone / (first_side.tied - 1) END) AS weight
    FROM sides AS first_side JOIN sides AS other_side USING (lineup), unnest(range(first_side.tied)) AS left_out(gone)
    WHERE first_side.placed AND other_side.ending <= first_side.ending
      AND (other_side.side = first_side.side OR other_side.ending < first_side.ending OR gone < first_side.tied - 1)
    GROUP BY lineup, first_side.side, gone, best, other_side.members
  ), offers AS (
    SELECT best, any_value(day_) AS day_, any_value(games) / any_value(tied) AS times, list({'members': members, 'weight': weight} ORDER BY members) AS sides
    FROM options GROUP BY lineup, side, gone, best HAVING count(*) > 1
  ), distinct_offers AS (
    SELECT row_number() OVER () AS choice, day_, sides, list({'members': best, 'times': times}) AS best, sum(times) AS times
    FROM (SELECT day_, sides, best, sum(times) AS times FROM offers GROUP BY day_, sides, best) GROUP BY day_, sides
  ), numbered_sides AS (
    SELECT choice, day_, best, times, unnest(sides) AS side, unnest(range(len(sides))) AS nth FROM distinct_offers
  ), side_members AS (
    SELECT choice, day_, nth AS side, unnest(side.members) AS member, side.weight AS weight, times,
      coalesce(list_sum(list_transform(list_filter(best, lambda chosen_side: chosen_side.members = side.members), lambda chosen_side: chosen_side.times)), 0) AS chosen
    FROM numbered_sides
  )
  SELECT choice, side, number, sum(member.part) AS part, any_value(weight) AS weight, any_value(chosen) AS chosen, any_value(times) AS times,
    any_value(game_) AS game, any_value(variant_) AS variant, any_value(player) AS player, any_value(day_) AS day
  FROM side_members JOIN (SELECT DISTINCT number, game_, variant_, player FROM credited_seats) ON number = member.number GROUP BY choice, side, number;

-- The strengths that make these choices most likely, given the assumption before any game, as logarithms of odds around 0 in each
-- `circle`. A circle is a group of players who met, directly or through others. `met` lists the information that the games give on a
-- strength, by opponent, as if the strengths of the others were exact.
CREATE MACRO strengths(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, credit_rule := 'none') AS TABLE
  WITH RECURSIVE chosen AS MATERIALIZED (
    FROM choices(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted, credit_rule)
  ), players_points AS MATERIALIZED (
    SELECT number, any_value(game) AS game_, any_value(variant) AS variant_, any_value(player) AS player, sum(chosen * part) AS points
    FROM chosen GROUP BY number
  ), circles(number, circle) USING KEY (number) AS (
    SELECT number, number FROM players_points
    UNION
    SELECT chosen.number, min(least)
    FROM (SELECT choice, min(circle) AS least FROM chosen JOIN recurring.circles USING (number) GROUP BY choice)
      JOIN chosen USING (choice) JOIN recurring.circles AS known USING (number)
    GROUP BY chosen.number, known.circle HAVING min(least) < known.circle
  ), estimates(number, circle, round, strength, step, moving) USING KEY (number) AS ( -- a circle is left alone when it has converged
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
            FROM chosen JOIN estimates USING (number) GROUP BY choice, side
          )
        ) JOIN chosen USING (choice, side)
        GROUP BY choice, number
      ) JOIN estimates USING (number) JOIN players_points USING (number)
      WHERE round < 500 AND moving > 1e-6
      GROUP BY number, circle, round, strength, step
    )
    WINDOW together AS (PARTITION BY circle)
  ), choice_chances AS MATERIALIZED (
    SELECT choice, side, number, part, times, chance
    FROM (
      SELECT choice, side, odds / sum(odds) OVER (PARTITION BY choice) AS chance
      FROM (
        SELECT choice, side, any_value(weight) * exp(sum(part * strength)) AS odds
        FROM chosen JOIN estimates USING (number) GROUP BY choice, side
      )
    ) JOIN chosen USING (choice, side)
  ), met AS (
    SELECT number, other, sum(information) AS information
    FROM (
      SELECT one.number, other.number AS other, one.times * one.chance * one.part * other.part AS information
      FROM choice_chances AS one JOIN choice_chances AS other USING (choice, side)
      UNION ALL
      SELECT one.number, other.number, -one.times * one.share * other.share
      FROM (SELECT choice, number, any_value(times) AS times, sum(part * chance) AS share FROM choice_chances GROUP BY choice, number) AS one
        JOIN (SELECT choice, number, sum(part * chance) AS share FROM choice_chances GROUP BY choice, number) AS other USING (choice)
    )
    GROUP BY number, other
  )
  SELECT game_ AS game, variant_ AS variant, player, number, circle, strength, met.met
  FROM estimates JOIN players_points USING (number)
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
    SELECT row_player.number, row_player.circle, row_player.at_, 0, list(coalesce(information, 0) ORDER BY column_player.at_)
    FROM strong AS row_player JOIN strong AS column_player USING (circle) LEFT JOIN met ON met.number = row_player.number AND met.other = column_player.number
    WHERE row_player.size <= 100
    GROUP BY row_player.number, row_player.circle, row_player.at_
    UNION
    SELECT this_row.number, circle, this_row.at_, this_row.step + 1,
      CASE WHEN this_row.at_ = pivot_row.at_ THEN list_transform(pivot_row.line, lambda x, i: if(i = pivot_row.at_, 1, x) / pivot_row.line[pivot_row.at_])
        ELSE list_transform(this_row.line, lambda x, i: if(i = pivot_row.at_, 0, x)
          - this_row.line[pivot_row.at_] * if(i = pivot_row.at_, 1, pivot_row.line[i]) / pivot_row.line[pivot_row.at_]) END
    FROM inverted AS this_row JOIN inverted AS pivot_row USING (circle) WHERE pivot_row.at_ = this_row.step + 1
  ), variances AS (
    SELECT number, line[at_] - 1 / before_any_game() / size AS variance FROM inverted JOIN strong USING (number, at_)
    UNION ALL
    SELECT number, 1 / (any_value(own_information.information) - coalesce(sum(met.information ** 2 / opponents.information), 0))
    FROM strong JOIN met AS own_information USING (number) JOIN met USING (number) JOIN met AS opponents ON opponents.number = met.other
    WHERE size > 100 AND own_information.other = number AND met.other <> number AND opponents.other = opponents.number
    GROUP BY number
  )
  SELECT game, variant, player, nth AS circle, 1500 + 400 / ln(10) * strength AS rating,
    1.96 * 400 / ln(10) * sqrt(greatest(variance, 0)) AS margin
  FROM strong JOIN variances USING (number);
