"""Tables and views of an archive, and the connection to its file."""
