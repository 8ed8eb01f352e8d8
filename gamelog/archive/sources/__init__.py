"""Where records lie: files, packs, and stores that URLs name."""
