"""What is to be said of a record: decoded, folded, its findings and its verdict."""
