-- Statistics that the stock questions share. They stand in every archive, for anybody's questions.

-- The 95 % interval of a share, after Wilson: k of n.
CREATE MACRO wilson_low(k, n) AS
  CASE WHEN n > 0 THEN greatest(0.0, ((k + 1.920729410347062) - 1.959963984540054 * sqrt(k::DOUBLE * (n - k) / n + 0.960364705173531))
    / (n + 3.841458820694124)) END;
CREATE MACRO wilson_high(k, n) AS
  CASE WHEN n > 0 THEN least(1.0, ((k + 1.920729410347062) + 1.959963984540054 * sqrt(k::DOUBLE * (n - k) / n + 0.960364705173531))
    / (n + 3.841458820694124)) END;

-- The probability of exactly k of n at chance p, which lies between 0 and 1.
CREATE MACRO binomial(k, n, p) AS
  exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * ln(p) + (n - k) * ln(1.0 - p));

-- The exact two-sided p-value of k of n at chance p: everything no likelier than what was seen. Counts more than 40 standard
-- deviations from the middle are left out; together they weigh less than a double can tell from 0.
CREATE MACRO binomial_p(k, n, p) AS
  CASE WHEN n > 0 AND p > 0 AND p < 1 THEN least(1.0, coalesce(list_sum(list_filter(
    list_transform(
      range(greatest(0, floor(n * p - 40 * sqrt(n * p * (1 - p)) - 100))::BIGINT,
        least(n, ceil(n * p + 40 * sqrt(n * p * (1 - p)) + 100))::BIGINT + 1),
      lambda i: binomial(i, n, p)),
    lambda q: q <= binomial(k, n, p) * 1.0000001)), 0.0)) END;

-- The probability that chi-square with df degrees of freedom is x or more: one less the lower incomplete gamma
-- function, summed as its series. Accurate to 1e-12; what is smaller comes out as 0.
CREATE MACRO chi2_p(x, df) AS
  CASE WHEN df <= 0 THEN NULL
       WHEN x <= 0 THEN 1.0
       WHEN x > df + 40 * sqrt(2.0 * df) + 100 THEN 0.0
       ELSE greatest(0.0, 1.0 - list_sum(list_transform(
         range(0, (x + 20 * sqrt(x) + 100)::BIGINT),
         lambda i: exp((df / 2.0 + i) * ln(x / 2.0) - x / 2.0 - lgamma(df / 2.0 + i + 1.0))))) END;

-- The two-sided p-value of a count that lies so far from its expectation, by the normal approximation with its correction for
-- continuity; NULL where the variance is below 5, for there the approximation does not hold.
CREATE MACRO normal_p(distance, variance) AS
  CASE WHEN variance >= 5 THEN chi2_p(greatest(abs(distance) - 0.5, 0.0) ** 2 / variance, 1) END;

-- A p-value that holds however many tests were made: Bonferroni's.
CREATE MACRO bonferroni(p, tests) AS CASE WHEN p IS NOT NULL THEN least(1.0, p * greatest(1.0, tests)) END;

-- The chance to win that a difference of strength gives (Bradley and Terry), strength being the logarithm of odds.
CREATE MACRO chance(difference) AS 1 / (1 + exp(-(difference)));

-- The records a question is about: of one game or of all, of a period, with so many seats, of people, bots or both, by one version
-- of the rules, with some options (a JSON object of their values). variant is what tells rows apart when it is asked for: the rules,
-- or an option's value.
CREATE MACRO picked(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL) AS TABLE
  SELECT *, CASE WHEN by_variant IS NULL THEN NULL WHEN by_variant = 'rules' THEN rules
      WHEN starts_with(by_variant, 'option=') THEN options->>substr(by_variant, 8)
      ELSE error('rows are told apart by rules, or by option=NAME') END AS variant
  FROM games
  WHERE (of_game IS NULL OR game = of_game) AND (of_players IS NULL OR players = of_players)
    AND (since IS NULL OR started >= since) AND (until IS NULL OR started < until) AND (of_rules IS NULL OR rules = of_rules)
    AND (with_options IS NULL OR list_bool_and(list_transform(json_keys(with_options),
      lambda name: options->>name IS NOT DISTINCT FROM with_options->>name)))
    AND CASE
      WHEN who IS NULL THEN true
      WHEN who NOT IN ('people', 'bots', 'mixed') THEN error('who is people, bots or mixed')
      ELSE id IN (
        SELECT id FROM seats GROUP BY id
        HAVING who = CASE count(bot) WHEN 0 THEN 'people' WHEN count(*) THEN 'bots' ELSE 'mixed' END
      ) END;

-- Those of them that count, or also those that do not (disputed, copies, branches, forks). Records without a story (illegal,
-- damaged, torn, unknown) are never among them.
CREATE MACRO counted_games(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false) AS TABLE
  SELECT * FROM picked(of_game, since, until, of_players, who, of_rules, with_options, by_variant)
  WHERE counted OR (uncounted AND turns IS NOT NULL);

-- Whether players made a game's result: the game came to its end, or one resigned or all agreed once two seats had decided anything.
CREATE MACRO made_by_play(result_by) AS result_by IN ('play', 'resignation', 'agreement');

-- Whether a game was played to its end, every line of it written down.
CREATE MACRO to_the_end(result_by, gaps) AS result_by = 'play' AND gaps = 0;

-- The finished ones among the counted games whose result the players made. Walkovers are not among them, nor what a ruling ended.
CREATE MACRO played(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false) AS TABLE
  SELECT * FROM counted_games(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted)
  WHERE finished AND made_by_play(result_by);

-- So many games, in words.
CREATE MACRO games_of(n) AS n::BIGINT || CASE WHEN n = 1 THEN ' game' ELSE ' games' END;

-- Bradley and Terry's strengths of the players in these games, by game and variant; with `met_rated` only of those who have met people
-- that can be rated. See the question `players`.
CREATE MACRO ratings(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, met_rated := false) AS TABLE
  WITH RECURSIVE seated AS (
    SELECT id, game_, variant_ AS variant, player, dense_rank() OVER (ORDER BY game_, variant_, player)::INTEGER AS number,
      dense_rank() OVER (ORDER BY game_, variant_)::INTEGER AS pool, share, coalesce(-place, share) AS ending, place, team
    FROM (
      SELECT id, game AS game_, variant AS variant_, player, share, place, team,
        bool_or(known) OVER (PARTITION BY id) AS met_known
      FROM (
        SELECT *, bot IS NULL AND player IS NOT NULL AND share IS NOT NULL
          AND count(share) OVER (PARTITION BY game, variant, player) >= 20 AS known
        FROM played(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted) JOIN seats USING (id)
      )
    )
    WHERE player IS NOT NULL AND (met_known OR NOT met_rated)
  ), met AS MATERIALIZED (
    SELECT a.number, b.number AS other, any_value(a.pool) AS pool, count(*)::DOUBLE AS games,
      sum(CASE WHEN a.ending > b.ending THEN 1::DOUBLE WHEN a.ending = b.ending THEN 0.5::DOUBLE ELSE 0::DOUBLE END) AS points
    FROM seated AS a JOIN seated AS b ON a.id = b.id AND a.number <> b.number
    WHERE (a.share + b.share > 0 OR a.place IS NOT NULL) AND (a.team = b.team) IS NOT TRUE
    GROUP BY a.number, other
  ), won AS MATERIALIZED (
    SELECT number, any_value(pool) AS pool, sum(points) + 0.5 AS points FROM met GROUP BY number
  ), strength(round, number, pool, strength, information, moving) AS ( -- each pool as long as it takes, whatever others there are
    SELECT 0, number, pool, 0::DOUBLE, 0::DOUBLE, 1::DOUBLE FROM won
    UNION ALL
    SELECT round + 1, number, pool, strength + greatest(-1, least(1, lead / known)), known, max(abs(lead / known)) OVER (PARTITION BY pool)
    FROM (
      SELECT a.round, a.number, a.pool, a.strength,
        0.7 * (any_value(won.points) - chance(a.strength) - sum(games * chance(a.strength - b.strength))) AS lead,
        chance(a.strength) * chance(-a.strength) + sum(games * chance(a.strength - b.strength) * chance(b.strength - a.strength)) AS known
      FROM strength AS a JOIN met USING (number) JOIN strength AS b ON b.number = met.other JOIN won USING (number)
      WHERE a.round < 200 AND a.moving > 1e-4
      GROUP BY a.round, a.number, a.pool, a.strength
    )
  ), rated AS (
    SELECT number, 1500 + 400 / ln(10) * max_by(strength, round) AS rating,
      1.96 * 400 / ln(10) / sqrt(max_by(information, round)) AS margin
    FROM strength GROUP BY number
  )
  SELECT DISTINCT game_ AS game, variant, player, rating, margin FROM seated JOIN rated USING (number);

-- Who sat where in the games that were `played`, by seat, or by the order of first turns where `by_turn` says so: the place and how it ended,
-- the class of equally strong players that each belongs to, and the line-up of classes at the table. People who finished 20 games,
-- not more than two thirds of them at one place, are as strong as their rating says, in steps of 100 points; others only as
-- themselves, and who is not named as nobody else.
CREATE MACRO seatings(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, by_turn := false) AS TABLE
  WITH sat AS MATERIALIZED (
    SELECT game, variant, players, id, position, CASE WHEN by_turn THEN turn_order::VARCHAR ELSE seat END AS place, player, bot,
      share, won, len(winners) = 1 AS decided
    FROM played(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted) JOIN seats USING (id)
  ), around AS (
    SELECT game, variant, player
    FROM (SELECT game, variant, player, place, count(*) AS games FROM sat WHERE bot IS NULL AND player IS NOT NULL GROUP BY ALL)
    GROUP BY ALL HAVING sum(games) >= 20 AND max(games) * 3 <= sum(games) * 2
  ), strengths AS (
    SELECT around.*, 'rated about ' || (floor(rating / 100) * 100)::INTEGER AS class
    FROM around JOIN ratings(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted, true) AS rated
      ON rated.game = around.game AND rated.player = around.player AND rated.variant IS NOT DISTINCT FROM around.variant
  ), classed AS (
    SELECT sat.*, coalesce('bot ' || bot, class, 'player ' || sat.player, 'unnamed ' || id || ' ' || position) AS class
    FROM sat LEFT JOIN strengths ON strengths.game = sat.game AND strengths.player = sat.player AND sat.bot IS NULL
      AND strengths.variant IS NOT DISTINCT FROM sat.variant
  ), lined AS (
    SELECT id, list(class ORDER BY class) AS lineup FROM classed GROUP BY id
  )
  SELECT * FROM classed JOIN lined USING (id);

-- What chance gives each place when only equally strong players may be exchanged: within the games of one line-up, who sits where is
-- independent of which class wins (both margins are fixed), and of m players of a class each wins as often. Sums over all line-ups
-- of the expected number of victories and of its variance; `alike` says that all are equally strong everywhere, `stride` by how
-- much the number of victories can change at least, `moved` in how many games another could have had the place.
CREATE MACRO stratified(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, of_rules := NULL, with_options := NULL,
    by_variant := NULL, uncounted := false, by_turn := false) AS TABLE
  WITH sat AS MATERIALIZED (
    SELECT * FROM seatings(of_game, since, until, of_players, who, of_rules, with_options, by_variant, uncounted, by_turn)
    WHERE decided
  ), strata AS (
    SELECT game, variant, players, lineup, class, count(*) FILTER (won)::DOUBLE AS won, count(*) / count(DISTINCT id) AS m,
      any_value(n) AS n
    FROM (SELECT *, count(DISTINCT id) OVER (PARTITION BY game, variant, players, lineup)::DOUBLE AS n FROM sat)
    GROUP BY game, variant, players, lineup, class
  ), placed AS (
    SELECT game, variant, players, lineup, class, place, count(*)::DOUBLE AS there
    FROM sat WHERE place IS NOT NULL GROUP BY game, variant, players, lineup, class, place
  ), met AS (
    SELECT placed.*, won, m, n, there * won / m AS product
    FROM placed JOIN strata ON strata.game = placed.game AND strata.players = placed.players AND strata.lineup = placed.lineup
      AND strata.class = placed.class AND strata.variant IS NOT DISTINCT FROM placed.variant
  ), summed AS (
    SELECT game, variant, players, lineup, place, sum(product) / any_value(n) AS expected,
      sum(product / n * (1 - 1 / m)) -- which of the class's players it was
        + coalesce((sum(there * (n - there) * won * (n - won) / (m * m)) + sum(product) ** 2 - sum(product ** 2))
          / nullif(any_value(n * n * (n - 1)), 0), 0) AS variance,
      bool_and(m = players) AS alike, bool_and(m = 1) AS each_apart,
      CASE WHEN max(m) > 1 OR min(there) < any_value(n) THEN any_value(n) ELSE 0 END AS moved
    FROM met GROUP BY game, variant, players, lineup, place
  )
  SELECT game, variant, players, place, sum(expected) AS expected, sum(variance) AS variance, bool_and(alike) AS alike,
    CASE WHEN players = 2 AND bool_and(each_apart) THEN 2 ELSE 1 END AS stride, sum(moved) AS moved
  FROM summed GROUP BY game, variant, players, place;

-- The two-sided p-value of so many victories: exact where all are equally strong, else by the normal approximation.
CREATE MACRO stratified_p(won, decided, players, expected, variance, alike, stride) AS
  CASE WHEN alike THEN binomial_p(won, decided, 1.0 / players)
       WHEN variance >= 5 THEN chi2_p(greatest(abs(won - expected) - stride / 2, 0.0) ** 2 / variance, 1) END;

-- Why there is no p-value: how many games tell anything, and how many would do. Each adds a quarter to the variance at most, which
-- has to be 5. `went` is how players come to the place: sat, or went.
CREATE MACRO stratified_why(p, decided, moved, variance, went) AS
  CASE WHEN p IS NOT NULL THEN NULL
       WHEN decided = 0 THEN 'no game that counts has one winner'
       WHEN coalesce(moved, 0) = 0 THEN 'the same strengths ' || went || ' in another order in none of ' || games_of(decided) ||
         '; at least 20 such games are needed'
       WHEN variance < 1e-9 THEN 'the stronger won all ' || games_of(moved) || ' in which the same strengths ' || went ||
         ' in another order, which tells nothing of that'
       ELSE 'the same strengths ' || went || ' in another order in only ' || games_of(moved) || '; about ' ||
         greatest(20, ceil(moved * 5 / variance))::BIGINT || ' are needed' END;
