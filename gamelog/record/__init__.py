"""What is on disk, bytes and events. It knows no game."""
