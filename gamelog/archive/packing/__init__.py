"""Many records in one file, with their people or without."""
