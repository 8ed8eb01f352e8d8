"""The parts of positions, events and findings that a viewer may know."""
