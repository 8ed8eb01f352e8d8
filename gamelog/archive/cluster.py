"""Judging on a cluster: the same worker, on machines that see the same files under the same paths."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module

from gamelog.archive.judging import judges
from gamelog.errors import ArchiveError, MissingExtra

RETRIES = 2
"""How often the cluster starts a batch again whose worker was lost, before it is judged here."""


@contextmanager
def cluster(scheduler: str, *, seconds: float = 10) -> Iterator[tuple[Executor, int]]:
    """An executor for `index` and `verdicts` on the Dask cluster of `scheduler`, and its number of workers.

    ``with cluster("tcp://10.0.0.1:8786") as (executor, jobs): index(paths, archive, executor=executor, jobs=jobs)``.
    Raises `MissingExtra`, and `ArchiveError` when nobody answers within `seconds`, there is no
    worker, or one has other software than this process. Workers that join later are not asked.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise MissingExtra("A cluster", "cluster") from None
    try:
        client = distributed.Client(scheduler, timeout=seconds)
    except (OSError, ValueError) as error:
        raise ArchiveError(f"No scheduler answers at {scheduler}: {error}.") from None
    with client:
        workers = len(client.nthreads())
        if not workers:
            raise ArchiveError(f"The scheduler at {scheduler} has no workers; start some with: dask worker {scheduler}")
        for worker, theirs in client.run(judges, on_error="return").items():
            if theirs != judges():
                raise ArchiveError(
                    f"The worker {worker} has another Gamelog, or other games, than this machine; install the same on both."
                )
        with client.get_executor(pure=False, retries=RETRIES) as executor:
            yield executor, workers
