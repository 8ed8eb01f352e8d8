// The open claims, and their withdrawal by the player who made the claim, or by the scorer for this player.

// Returns the numbers of the open claims.
export const openClaims = ({ findings }) => findings.filter(({ code }) => code === "play.claim").map(({ n }) => n);

// Records the withdrawal of claim `n`.
export const withdraw = ({ live, sender }, n) => sender.record({ event: { do: "@withdraw", by: live.events[n].by, about: n } });
