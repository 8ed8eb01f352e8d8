"""Workers that judge many records: in this process, in other processes, on a cluster."""
