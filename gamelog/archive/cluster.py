"""Judging on a cluster: the same worker, on machines that see the same files under the same paths."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from importlib import import_module
from time import monotonic
from typing import Any

from gamelog.archive.judges import judges
from gamelog.errors import ArchiveError, MissingExtra

RETRIES = 2
"""How often the cluster starts a batch again whose worker was lost, before it is judged here."""

PATIENCE = 30.0
"""Seconds without any worker after which a batch is judged here."""

PULSE = 1.0
"""Seconds between two looks at who is still there."""


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
        yield _Lent(client), workers


class _Lent(Executor):
    """A cluster's workers, the last of which was ``seen`` at that time on the clock that only goes forward."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.seen = monotonic()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        try:
            return _Due(self, self._client.submit(fn, *args, **kwargs, pure=False, retries=RETRIES))
        except Exception as error:  # of many kinds: the scheduler is gone
            lost: Future[Any] = Future()
            lost.set_exception(error)
            return lost

    def forsaken(self) -> bool:
        """Whether there was nobody for longer than one waits."""
        if self._client.status == "running" and self._client.nthreads():
            self.seen = monotonic()
        return monotonic() - self.seen > PATIENCE


class _Due(Future[Any]):
    """The result of a batch that the cluster works on."""

    def __init__(self, lent: _Lent, theirs: Any) -> None:
        super().__init__()
        self._lent = lent
        self._theirs = theirs

    def result(self, timeout: float | None = None) -> Any:
        """It, waited for as long as there are workers. Raises `CancelledError` when there are none, `TimeoutError`."""
        while True:
            try:
                return self._theirs.result(timeout=PULSE if timeout is None else timeout)
            except TimeoutError:
                if timeout is not None:
                    raise
                if self._lent.forsaken():
                    raise CancelledError from None
