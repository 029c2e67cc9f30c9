"""The explorer as `make app` serves it: to who has the token, under this machine's name, by few kernels, which end."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import psutil
import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPResponse
from tornado.websocket import websocket_connect

from tests.conftest import ROOT

pytest.importorskip("voila", reason="the extra that brings it is not installed")
pytestmark = pytest.mark.slow


class Served(NamedTuple):
    """A server: its address, the token that it prints, and its process."""

    address: str
    token: str
    process: psutil.Process

    def get(self, path: str, *, times: int = 1, token: bool = True, **headers: str) -> list[HTTPResponse]:
        """Ask for a page some times at once."""

        async def ask() -> list[HTTPResponse]:
            given = {"headers": headers, "raise_error": False, "follow_redirects": False, "request_timeout": 60}
            url = f"{self.address}{path}{f'?token={self.token}' if token else ''}"
            return await asyncio.gather(*(AsyncHTTPClient().fetch(url, **given) for _ in range(times)))

        return asyncio.run(ask())

    def close(self, kernel: str, **headers: str) -> int:
        """Ask for the end of a kernel, as a page that is closed does; return the code of the answer."""

        async def ask() -> int:
            given = {"method": "POST", "body": "_xsrf=", "headers": headers, "raise_error": False}
            return (await AsyncHTTPClient().fetch(f"{self.address}/voila/api/shutdown/{kernel}", **given)).code

        return asyncio.run(ask())

    def kernels(self) -> int:
        """Return how many processes it has started that still run."""
        return len(self.process.children())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a page that needs little, with what is set for the explorer; its kernels are idle after a second."""
    page = tmp_path_factory.mktemp("page") / "page.ipynb"
    cell = {"cell_type": "code", "metadata": {}, "source": "1 + 1", "outputs": [], "execution_count": None}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    page.write_text(json.dumps({"cells": [cell], "metadata": kernel, "nbformat": 4, "nbformat_minor": 4}))
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    asked = [
        str(page),
        f"--port={port}",
        "--MappingKernelManager.cull_idle_timeout=3",
        "--MappingKernelManager.cull_interval=1",
    ]
    paths = os.pathsep.join([str(ROOT / "notebooks/share"), os.environ.get("JUPYTER_PATH", "")])
    environment = os.environ | {"JUPYTER_PATH": paths, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-m", "voila", *asked],
        cwd=ROOT / "notebooks",
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr
        for line in server.stderr:
            if found := re.fullmatch(r"(http://localhost:\d+)/\?token=(\w{40,})\n", line):
                break
        assert found
        yield Served(found[1], found[2], psutil.Process(server.pid))
        server.terminate()
        server.communicate()


def until(holds: Callable[[], bool]) -> bool:
    """Wait until something holds, for a minute."""
    for _ in range(600):
        if holds():
            return True
        time.sleep(0.1)
    return False


def test_who_has_no_token_is_asked_for_one_and_starts_nothing(served):
    for token, headers in ((False, {}), (False, {"Authorization": "token wrong"})):
        [answer] = served.get("/", token=token, **headers)
        assert answer.code == 302
        assert answer.headers["Location"].startswith("/login")
    assert served.kernels() == 0


def test_another_name_is_refused_with_the_token_as_well(served):
    for host in ("rebound.example", "rebound.example:8866", "192.0.2.1"):
        assert served.get("/", Host=host)[0].code == 403
    assert served.kernels() == 0


def test_a_page_and_its_socket_are_for_its_reader_and_its_kernel_ends(served):
    [answer] = served.get("/", Host=served.address.removeprefix("http://"))
    assert answer.code == 200
    assert served.kernels() == 1
    cookie = answer.headers["Set-Cookie"]
    assert "samesite=strict" in cookie.lower()
    [kernel] = {*re.findall(r"\w{8}-\w{4}-\w{4}-\w{4}-\w{12}", answer.body.decode())}
    channels = f"{served.address.replace('http', 'ws')}/api/kernels/{kernel}/channels"
    own = {"Cookie": cookie.partition(";")[0]}

    async def codes() -> list[int]:
        from tornado.httpclient import HTTPClientError, HTTPRequest

        async def code(**headers: str) -> int:
            try:
                (await websocket_connect(HTTPRequest(channels, headers=headers))).close()
            except HTTPClientError as error:
                return error.code
            return 101

        strangers = ({}, {**own, "Host": "rebound.example"}, {**own, "Origin": "http://beside.example"})
        return [await code(**each) for each in (own, *strangers)]

    assert asyncio.run(codes()) == [101, 403, 403, 403]
    assert until(lambda: served.kernels() == 0)


def test_a_page_that_is_closed_ends_its_kernel_and_no_other_page_does(served):
    [answer] = served.get("/")
    [kernel] = {*re.findall(r"\w{8}-\w{4}-\w{4}-\w{4}-\w{12}", answer.body.decode())}
    own = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0], "Origin": served.address}
    assert served.close(kernel, Origin=served.address) == 403
    assert served.close(kernel, **own | {"Origin": "http://beside.example"}) == 404
    assert served.close(kernel, **own | {"Host": "rebound.example"}) == 403
    assert served.kernels() == 1
    assert served.close(kernel, **own) == 204
    assert served.kernels() == 0


def test_only_a_few_kernels_are_started(served):
    codes = [answer.code for answer in served.get("/", times=7)]
    assert sorted(codes) == [200] * 4 + [503] * 3
    assert served.kernels() <= 4
    assert until(lambda: served.kernels() == 0)
    assert served.get("/")[0].code == 200
