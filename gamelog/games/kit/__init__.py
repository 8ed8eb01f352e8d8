"""Code that several games share: boards as graphs, phases, dice. No rules of a single game."""
