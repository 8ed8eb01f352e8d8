"""Two records side by side, branches and rulings."""

DISPUTES = "gamelog.dispute"
"""The package whose catalogue has the sentences of this package."""
