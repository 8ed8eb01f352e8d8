"""Two records side by side, branches and rulings."""

MESSAGE_PACKAGE = "gamelog.dispute"
"""The package whose catalogue has the sentences of this package."""
