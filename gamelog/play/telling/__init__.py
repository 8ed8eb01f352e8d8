"""What happened, in words and in characters."""
