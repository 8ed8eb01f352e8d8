"""The kit that anyone who writes a game tests it with."""
