// Luck with dice: of every contest, what came of it less what was to be expected.
// A won contest counts 1, a lost one 0; the odds are taken off. Seats that roll against each other share it out.

import { decimal } from "./texts.js";

export function luck(data) {
  const sums = data.seats.map(() => [0]);
  for (let n = 1; n <= data.last; n++) {
    const contest = data.contests[n], surplus = contest && !data.undone[n] ? Number(contest.won) - contest.odds : 0;
    data.seats.forEach(({ seat }, at) => {
      const part = !contest ? 0 : contest.by === seat ? surplus : contest.against === seat ? -surplus : 0;
      sums[at].push(sums[at][n - 1] + part);
    });
  }
  return sums;
}

export function signed(value) {
  return (value < -0.005 ? "−" : value > 0.005 ? "+" : "±") + decimal(Math.abs(value), 2);
}
