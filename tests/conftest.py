"""What all tests share."""

import signal

from hypothesis import settings

collect_ignore = ["sixth_game"]  # installed and tried by tests/packaging, in an environment of its own

settings.register_profile("gamelog", deadline=None)  # no test fails because the machine was busy
settings.load_profile("gamelog")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background; what tests start and interrupt would not notice
    signal.signal(signal.SIGINT, signal.default_int_handler)
