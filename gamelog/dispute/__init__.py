"""Layer 5: two records side by side, branches and rulings."""
