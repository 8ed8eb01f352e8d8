"""Questions and their answers, cut off from everything else."""
