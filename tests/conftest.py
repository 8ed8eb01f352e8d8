"""What all tests share."""

collect_ignore = ["sixth_game"]  # installed and tried by tests/packaging, in an environment of its own
