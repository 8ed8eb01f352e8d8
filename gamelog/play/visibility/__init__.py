"""What a viewer may know: positions, events, findings."""
