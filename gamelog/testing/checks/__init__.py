"""The groups of checks in `gamelog.testing.conformance`, and their sample games."""
