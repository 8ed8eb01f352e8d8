"""The rows of a record, made column by column."""
