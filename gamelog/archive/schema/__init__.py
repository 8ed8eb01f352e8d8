"""What an archive holds: its tables and views, and the connection to its file."""
