"""Sources of dice, and what a verifier can check about each source."""
