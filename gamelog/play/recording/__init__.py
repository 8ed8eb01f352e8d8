"""Writing a record: headers, proposals, corrections, signatures, bots."""
