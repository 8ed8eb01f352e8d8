"""Layer 5: the kit that anyone who writes a game tests it with."""
