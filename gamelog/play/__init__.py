"""The meaning of events: folding, judging, and the contract that a game fulfils."""
