"""Layer 1: what is on disk, bytes and events. It knows no game."""
