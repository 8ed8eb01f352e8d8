"""The report: an archive as one HTML file that can be printed."""
