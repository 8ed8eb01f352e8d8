"""All measurements, except ``tests.bench.archive``, ``folders`` and ``rulings``, which take minutes.

python -m tests.bench
"""

from tests.bench import append, page, pagesize, process, trust, verify

for module in (verify, trust, process, append, page, pagesize):
    print(f"\n{(module.__doc__ or '').splitlines()[0]}")
    module.main()
