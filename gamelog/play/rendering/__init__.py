"""Sentences about events, and boards in characters."""
