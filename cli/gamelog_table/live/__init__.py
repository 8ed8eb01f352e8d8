"""New events as bytes for the followers of a record."""
