"""Sources of records: files, packs, and remote stores."""
