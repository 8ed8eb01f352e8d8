-- Statistics that the stock questions share. They stand in every archive, for anybody's questions.

-- The 95 % interval of a share, after Wilson: k of n.
CREATE MACRO wilson_low(k, n) AS
  CASE WHEN n > 0 THEN greatest(0.0, ((k + 1.920729410347062) - 1.959963984540054 * sqrt(k * (n - k) / n::DOUBLE + 0.960364705173531))
    / (n + 3.841458820694124)) END;
CREATE MACRO wilson_high(k, n) AS
  CASE WHEN n > 0 THEN least(1.0, ((k + 1.920729410347062) + 1.959963984540054 * sqrt(k * (n - k) / n::DOUBLE + 0.960364705173531))
    / (n + 3.841458820694124)) END;

-- The probability of exactly k of n at chance p, which lies between 0 and 1.
CREATE MACRO binomial(k, n, p) AS
  exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * ln(p) + (n - k) * ln(1.0 - p));

-- The exact two-sided p-value of k of n at chance p: everything no likelier than what was seen.
CREATE MACRO binomial_p(k, n, p) AS
  CASE WHEN p > 0 AND p < 1 THEN least(1.0, list_sum(list_filter(
    list_transform(range(0, n::BIGINT + 1), lambda i: binomial(i, n, p)),
    lambda q: q <= binomial(k, n, p) * 1.0000001))) END;

-- The probability that chi-square with df degrees of freedom is x or more: one less the lower incomplete gamma
-- function, summed as its series. Accurate to 1e-12; what is smaller comes out as 0.
CREATE MACRO chi2_p(x, df) AS
  CASE WHEN df <= 0 THEN NULL
       WHEN x <= 0 THEN 1.0
       WHEN x > df + 40 * sqrt(2.0 * df) + 100 THEN 0.0
       ELSE greatest(0.0, 1.0 - list_sum(list_transform(
         range(0, (x + 20 * sqrt(x) + 100)::BIGINT),
         lambda i: exp((df / 2.0 + i) * ln(x / 2.0) - x / 2.0 - lgamma(df / 2.0 + i + 1.0))))) END;

-- The chance to win that a difference of strength gives (Bradley and Terry), strength being the logarithm of odds.
CREATE MACRO chance(difference) AS 1 / (1 + exp(-(difference)));

-- The games a question is about: of one game or of all, those that count or also those that do not (disputed, copies,
-- branches, forks). Records without a story (illegal, damaged, torn, unknown) are never among them.
CREATE MACRO chosen(of_game, uncounted) AS TABLE
  SELECT * FROM games
  WHERE (counted OR (uncounted AND turns IS NOT NULL)) AND (of_game IS NULL OR game = of_game);
