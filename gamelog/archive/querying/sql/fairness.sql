-- Fairness of the dice of each person
-- Do the dice of each person behave like fair dice: faces, runs, takebacks and corrections?
-- One row for each person with a chosen game, and for each number of sides. The numbers rest on all games of this kind that count. counts is
-- the number of times each face fell. A throw is low or high if its sum is below or above the mean; the others are left out of throws.
-- runs counts the runs of low or high throws in the order of each game, and expected_runs is their mean in random order. longest_low is
-- the longest run of low throws. undone is the number of throws that a takeback undid, and corrected the number that a correction
-- replaced; undone_low and corrected_low count the low ones. The p are probabilities by chance: p_faces of counts this far from equal
-- shares (exact below 30 dice, then chi-square), p_runs of a number of runs this far from the mean (Wald and Wolfowitz), p_undone and
-- p_corrected of this many low ones among them (exact test of Fisher, one-sided). p_all is the smallest of the person, corrected for all
-- tests of the game (Holm): if nobody cheats, one archive in twenty or fewer has a p_all below 0.05 in a game. detectable is the share of
-- one face that this number of dice would show in four of five cases, and needed the number of dice for a face that comes up 5
-- percentage points too often. For half the bias, four times as many dice are needed.
-- @groups
SELECT tests.game, variant, tests.player, tests.sides, tests.dice, tests.games, counts, tests.throws, low, runs, expected_runs, longest_low,
  undone, undone_low, corrected, corrected_low, p_faces, p_runs, p_undone, p_corrected, tests.tests, p_all, detectable, needed
FROM (SELECT DISTINCT game, variant, player FROM $counted_games JOIN sittings USING (id)) AS chosen
  JOIN settled.dice_tests AS tests ON tests.game = chosen.game AND tests.player = chosen.player
ORDER BY tests.game, variant, p_all NULLS LAST, tests.player, tests.sides
