"""Pages made with Jinja2: the replay of a record, and the report of an archive."""
