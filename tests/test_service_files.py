"""The files for `gamelog serve` as a service, executed as far as the machine allows."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra serve is not installed")

ROOT = Path(__file__).parents[1]
FILES = ROOT / "docs" / "service"
GAMELOG = str(Path(sys.executable).parent / "gamelog")
SITE = "https://table.example.org"


def free_port() -> int:
    """Return a port on which no program listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def unit_command() -> list[str]:
    """Return the command that systemd starts."""
    unit = (FILES / "gamelog-serve.service").read_text()
    (command,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    return shlex.split(command)


def container_command() -> list[str]:
    """Return the command that the container starts."""
    (command,) = re.findall(r"^CMD (\[.*\])$", (FILES / "Containerfile").read_text(), re.MULTILINE)
    words: list[str] = json.loads(command)
    return words


@contextmanager
def serve_in_thread(command: list[str], folder: Path) -> Iterator[tuple[int, str]]:
    """Run `command` with its folder and port replaced; yield the port and the scorer's token."""
    port = free_port()
    words = [
        str(folder) if word in ("/var/lib/gamelog", "/games") else str(port) if word == "8417" else word
        for word in command[1:]
    ]
    with subprocess.Popen([GAMELOG, *words, "--json"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        yield port, json.loads(server.stdout.readline())["token"]
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) in (0, 143, -signal.SIGTERM)


def status(address: str, token: str, headers: dict[str, str], context: ssl.SSLContext | None = None) -> int:
    """Return the status of a request for the list of records."""
    request = urllib.request.Request(f"{address}/api/records", headers=headers)
    request.add_header("Authorization", f"Bearer {token}")
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), *([urllib.request.HTTPSHandler(context=context)] if context else [])
    )
    try:
        with opener.open(request, timeout=20) as answer:
            code: int = answer.status
            return code
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize("command", [unit_command(), container_command()], ids=["unit", "container"])
def test_the_command_serves_the_folder_and_takes_the_headers_of_a_proxy(
    command: list[str], tmp_path: Path
) -> None:
    with serve_in_thread(command, tmp_path) as (port, token):
        address, own = f"http://127.0.0.1:{port}", f"127.0.0.1:{port}"
        assert status(address, token, {"Host": own, "Origin": f"http://{own}"}) == 200
        assert status(address, token, {"Host": "table.example.org"}) == 421
        assert status(address, token, {"Host": own, "Origin": SITE}) == 403


def test_the_proxies_send_the_host_and_the_origin_that_the_server_knows() -> None:
    caddy, nginx = (FILES / "Caddyfile").read_text(), (FILES / "nginx.conf").read_text()
    assert f"header Origin {SITE}\n" in caddy
    assert "Origin http://127.0.0.1:8417" in caddy
    assert "header_up Host 127.0.0.1:8417" in caddy
    assert f'"{SITE}" "http://127.0.0.1:8417"' in nginx
    assert "proxy_set_header Host 127.0.0.1:8417" in nginx
    page = (ROOT / "docs/service.md").read_text()
    assert all(f"    {line}\n" in page for line in caddy.splitlines()[1:])


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "gamelog-serve.service"
    text = (FILES / "gamelog-serve.service").read_text()
    unit.write_text(text.replace("/opt/gamelog/bin/gamelog", GAMELOG))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    complaints = [line for line in done.stderr.splitlines() if "gamelog-serve" in line]
    assert not complaints


def test_the_container_runs_no_process_as_root() -> None:
    text = (FILES / "Containerfile").read_text()
    assert re.search(r"^USER gamelog$.*^CMD ", text, re.MULTILINE | re.DOTALL)
    (extra,) = re.findall(r"pip install --no-cache-dir '/src\[(\w+)\]'", text)
    assert f"\n{extra} = [" in (ROOT / "pyproject.toml").read_text()


@contextmanager
def started(command: list[str], port: int, folder: Path) -> Iterator[None]:
    """Run a proxy until its port answers."""
    env = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "proxy.log").open("w") as log, subprocess.Popen(command, stderr=log, env=env) as proxy:
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert proxy.poll() is None, (folder / "proxy.log").read_text()
                time.sleep(0.1)
            yield
        finally:
            proxy.terminate()


def passes_only_its_own_page(port: int, token: str, site: str) -> None:
    """Check that the proxy passes requests of its own page and that the server refuses other pages."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    address = f"https://localhost:{port}"
    assert status(address, token, {}, context) == 200
    assert status(address, token, {"Origin": site}, context) == 200
    assert status(address, token, {"Origin": "https://elsewhere.example.org"}, context) == 403


@pytest.mark.skipif(not (shutil.which("nginx") and shutil.which("openssl")), reason="nginx is not installed")
def test_nginx_passes_requests_over_tls(tmp_path: Path) -> None:
    certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    files = ["-subj", "/CN=localhost", "-keyout", f"{tmp_path}/table.key", "-out", f"{tmp_path}/table.pem"]
    subprocess.run([*certificate, *files], check=True, capture_output=True)
    (tmp_path / "games").mkdir()
    with serve_in_thread(unit_command(), tmp_path / "games") as (inner, token):
        outer = free_port()
        text = (FILES / "nginx.conf").read_text().replace(":8417", f":{inner}")
        text = text.replace("listen 443", f"listen 127.0.0.1:{outer}").replace("/etc/ssl", str(tmp_path))
        folders = "".join(
            f"{kind}_temp_path {tmp_path}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        config = tmp_path / "nginx.conf"
        config.write_text(
            f"daemon off; pid {tmp_path}/pid; error_log stderr;\nevents {{}}\n"
            f"http {{ access_log off; {folders}\n{text}}}\n"
        )
        with started(["nginx", "-e", "stderr", "-c", str(config)], outer, tmp_path):
            passes_only_its_own_page(outer, token, SITE)


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
def test_caddy_passes_requests_over_tls(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    with serve_in_thread(unit_command(), tmp_path / "games") as (inner, token):
        outer = free_port()
        text = (FILES / "Caddyfile").read_text().replace(":8417", f":{inner}")
        text = text.replace("\ntable.example.org {", f"\nhttps://localhost:{outer} {{\n\ttls internal")
        config = tmp_path / "Caddyfile"
        config.write_text("{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n" + text)
        command = ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]
        with started(command, outer, tmp_path):
            passes_only_its_own_page(outer, token, SITE)
