"""Recording: headers, corrections, rulings, signatures, bots."""
