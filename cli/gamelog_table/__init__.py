"""The table: `gamelog serve` records games by touch on several devices, and others follow them live."""
