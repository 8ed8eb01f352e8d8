"""Analysis of finished games: the chances of the seats after each event, and the causes of changes."""
