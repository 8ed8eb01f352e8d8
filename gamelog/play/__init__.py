"""What events mean. Folding, judging, and the contract that a game fulfils."""
