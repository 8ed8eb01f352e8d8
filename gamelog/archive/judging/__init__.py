"""Who judges many records: here, in processes, on a cluster."""
