"""Downloads of a folder for its scorer: a site, a report, a pack, and the records.

The commands of Gamelog make them in a process of their own, so that they cannot stop the server.
"""

from __future__ import annotations

import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree

import anyio.to_thread
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from gamelog.message import Message
from gamelog_table.api import Api
from gamelog_table.net.denied import Denied
from gamelog_table.net.responses import language_of
from gamelog_table.record.served_folder import ServedFolder

MAX_SECONDS = 600
"""Maximum time of one command, in seconds."""

FILES = {
    "site": "site.zip",
    "report": "report.html",
    "pack": "evening.pack.parquet",
    "records": "records.zip",
}
"""The ends of the files' names by their address."""


class FolderDownloads:
    """Handlers of the requests for the files of a folder. They are made one at a time."""

    def __init__(self, api: Api, program: Sequence[str]) -> None:
        """Make the handlers. `program` starts a command of Gamelog; the command's arguments follow."""
        self._api = api
        self._program = program
        self._is_busy = False

    def routes(self) -> list[Route]:
        """Return the routes of the handlers."""
        return [Route("/api/evening/{file}", self.file, methods=["GET"])]

    async def file(self, request: Request) -> Response:
        """Answer with a file of the evening.

        Raises:
            Denied: The link is not the scorer's of a folder or was withdrawn, there is no such file, or
                another file is being made, or the disk has no room for the file.
        """
        grant, only = self._api.grant(request, None)
        if grant.role != "scorer" or only is not None or not self._api.folder.is_folder:
            raise Denied("table.role", "Only the scorer of a folder can save the files of the evening.")
        kind = request.path_params["file"]
        if kind not in FILES:
            raise Denied("table.no_page", "There is no such file.")
        if request.method == "HEAD":  # there is nothing to make
            return Response()
        if self._is_busy:
            raise Denied("table.busy", "Another file is being made. Try again when it is ready.", 10)
        self._is_busy = True
        try:
            workspace = Path(tempfile.mkdtemp(prefix="gamelog-evening-"))
            try:
                language, folder = language_of(request), self._api.folder
                title, path = await anyio.to_thread.run_sync(
                    lambda: self._make(kind, folder, workspace, language)
                )
                folder.check(grant)
            except BaseException:
                rmtree(workspace, ignore_errors=True)
                raise
        except OSError as error:
            raise Denied(
                "table.failed", Message.of("The file cannot be made: {=error}", error=error.strerror or "")
            ) from error
        finally:
            self._is_busy = False
        clean = BackgroundTask(rmtree, workspace, ignore_errors=True)
        return FileResponse(path, filename=f"{title} {FILES[kind]}", background=clean)

    def _make(self, kind: str, folder: ServedFolder, workspace: Path, language: str) -> tuple[str, Path]:
        """Make the file of this `kind` in the folder `workspace`. Return the evening's title and the file.

        Raises:
            Denied: The command cannot make it.
        """
        path, records, title = workspace / FILES[kind], str(folder.path), _title(folder)
        match kind:
            case "records":
                with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
                    for place in folder.names().values():
                        packed.write(place, place.name)
            case "site":
                site = workspace / "site"
                self._run("export", records, "--out", str(site), "--language", language, f"--title={title}")
                with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
                    for place in sorted(site.rglob("*")):
                        packed.write(place, place.relative_to(site))
            case "pack":
                self._run("pack", records, "--out", str(path))
            case "report":
                archive = str(workspace / "evening.archive")
                self._run("index", records, "--archive", archive)
                self._run(
                    "report",
                    "--archive",
                    archive,
                    "--out",
                    str(path),
                    "--language",
                    language,
                    f"--title={title}",
                )
        return title, path

    def _run(self, *arguments: str) -> None:
        """Run a command of Gamelog. A status of 1 means faults in records, which the file shows.

        Raises:
            Denied: The command fails or takes too long.
        """
        command = [*self._program, *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=MAX_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise Denied("table.endless", "The file took too long, so its command was stopped.") from None
        if done.returncode not in (0, 1):
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise Denied("table.failed", Message.of("The file cannot be made: {=error}", error=reason))


def _title(folder: ServedFolder) -> str:
    """Return the title of an evening: the name of its folder, and the day of its last game."""
    headers = [folder.header_data(place) for place in folder.names().values()]
    days = [str(header["started"])[:10] for header in headers if header is not None]
    return ", ".join([folder.path.resolve().name, *([max(days)] if days else [])])
