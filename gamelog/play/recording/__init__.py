"""Recording: headers, proposals, corrections, signatures, bots, records without people."""
