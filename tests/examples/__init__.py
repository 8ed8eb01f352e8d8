"""The distributions under examples/, tried as the games of strangers that they are."""
