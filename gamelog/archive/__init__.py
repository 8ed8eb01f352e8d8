"""Layer 5: archives of many records in DuckDB, and the questions they answer."""
