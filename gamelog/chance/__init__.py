"""Where dice come from, and what a verifier can say about each source."""
