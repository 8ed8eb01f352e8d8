"""Record, replay and verify games that people play at a table."""

__version__ = "0.1.0"
