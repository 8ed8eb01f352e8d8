"""The groups of checks that make up `gamelog.testing.conformance`, and what they look at."""
