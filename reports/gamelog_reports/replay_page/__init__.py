"""The replay page: a record as one HTML file."""
