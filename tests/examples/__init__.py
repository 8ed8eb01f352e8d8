"""Tests of the distributions under examples/, as games by other authors."""
