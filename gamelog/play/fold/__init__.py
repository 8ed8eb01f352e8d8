"""What events do: to the game by its rules, to the table beside it by the common ones."""
