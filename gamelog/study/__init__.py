"""Studies: variants of a game compared in paired games, and what a designer wants to know about them."""
