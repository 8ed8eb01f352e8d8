"""Runs that bring an archive up to date, commit by commit."""
