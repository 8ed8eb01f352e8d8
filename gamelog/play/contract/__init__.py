"""The contract of a game: the functions and types that its author writes, and the installed games."""
