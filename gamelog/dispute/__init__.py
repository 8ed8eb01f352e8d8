"""Two records side by side, branches and rulings."""
