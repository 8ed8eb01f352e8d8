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
CREATE MACRO of_many(p, tests) AS CASE WHEN p IS NOT NULL THEN least(1.0, p * greatest(1.0, tests)) END;

-- The chance to win that a difference of strength gives (Bradley and Terry), strength being the logarithm of odds.
CREATE MACRO chance(difference) AS 1 / (1 + exp(-(difference)));

-- The records a question is about: of one game or of all, of a period, with so many seats, of people, bots or both.
CREATE MACRO picked(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL) AS TABLE
  SELECT * FROM games
  WHERE (of_game IS NULL OR game = of_game) AND (of_players IS NULL OR players = of_players)
    AND (since IS NULL OR started >= since) AND (until IS NULL OR started < until)
    AND CASE
      WHEN who IS NULL THEN true
      WHEN who NOT IN ('people', 'bots', 'mixed') THEN error('who is people, bots or mixed')
      ELSE id IN (
        SELECT id FROM seats GROUP BY id
        HAVING who = CASE count(bot) WHEN 0 THEN 'people' WHEN count(*) THEN 'bots' ELSE 'mixed' END
      ) END;

-- Those of them that count, or also those that do not (disputed, copies, branches, forks). Records without a story (illegal,
-- damaged, torn, unknown) are never among them.
CREATE MACRO chosen(of_game, since := NULL, until := NULL, of_players := NULL, who := NULL, uncounted := false) AS TABLE
  SELECT * FROM picked(of_game, since, until, of_players, who) WHERE counted OR (uncounted AND turns IS NOT NULL);
