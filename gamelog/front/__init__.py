"""The front door: what ``import gamelog`` offers, built from the floors below, imported by none of them."""
