"""What a game is: the functions and types that its author writes, and what is installed."""
