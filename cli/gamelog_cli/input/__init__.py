"""Typed input: events, members, names of players, dice, clocks, and choices between score sheets."""
