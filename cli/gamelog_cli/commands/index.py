"""`gamelog index`: add records to an archive."""
