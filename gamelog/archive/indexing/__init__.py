"""Bringing an archive up to date, by the commit."""
