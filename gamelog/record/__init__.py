"""The record layer: bytes, lines and events on disk. It does not know any game."""
