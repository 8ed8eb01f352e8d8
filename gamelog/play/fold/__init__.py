"""The effect of events: on the game by its rules, and on the table by the common events."""
