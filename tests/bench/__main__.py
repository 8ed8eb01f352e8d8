"""``python -m tests.bench``: all measurements, one after the other."""

from tests.bench import append, page, process, trust, verify

for module in (verify, trust, process, append, page):
    print(f"\n{(module.__doc__ or '').splitlines()[0]}")
    module.main()
