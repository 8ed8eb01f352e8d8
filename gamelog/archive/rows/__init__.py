"""A record as rows: what is told of it, column by column."""
