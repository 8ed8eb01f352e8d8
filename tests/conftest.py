"""What all tests share."""

from hypothesis import settings

collect_ignore = ["sixth_game"]  # installed and tried by tests/packaging, in an environment of its own

settings.register_profile("gamelog", deadline=None)  # no test fails because the machine was busy
settings.load_profile("gamelog")
