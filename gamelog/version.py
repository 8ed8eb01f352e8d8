"""The version of Gamelog."""

__version__ = "0.1.0"
