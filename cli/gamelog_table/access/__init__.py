"""Access: the links to a table, and the events that each link can record."""
