"""The kit for testing a game."""
