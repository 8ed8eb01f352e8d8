"""``python -m tests.bench``: all measurements, one after the other."""

from tests.bench import append, process, trust, verify

for module in (verify, trust, process, append):
    print(f"\n{(module.__doc__ or '').splitlines()[0]}")
    module.main()
