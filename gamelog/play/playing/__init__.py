"""Playing on from any position, without a record."""
