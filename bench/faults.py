"""The part of `make bench-import` over a faulty network: how fast a job is while requests fail."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from statistics import median
from typing import Any
from urllib.parse import urlencode

from bench.jobs import Imports
from bench.servers import ROOT, Server, free_port, wait

_DEAD_SECONDS = 20.0


@dataclass(frozen=True)
class Mode:
    """Faults by share, of the POSTs alone or of all requests, and their kind."""

    name: str
    words: str
    share: float
    fates: tuple[str, ...]
    writes: bool = False


MIXED = ("503", "cut-before", "cut-after", "garbage")
MODES = (
    Mode("post_503_2", "2 % of the POSTs answered by 503", 0.02, ("503",), writes=True),
    Mode("post_503_5", "5 % of the POSTs answered by 503", 0.05, ("503",), writes=True),
    Mode("cut_2", "2 % of the connections cut before", 0.02, ("cut-before",)),
    Mode("mixed_5", "5 % mixed faults", 0.05, MIXED),
    Mode("mixed_8", "8 % mixed faults", 0.08, MIXED),
)


class FaultyProxy:
    """The proxy between the portal and a sandbox."""

    def __init__(self, sandbox: Server, server: Server) -> None:
        self.sandbox = sandbox
        self.server = server

    def fails(self, share: float, fates: tuple[str, ...], *, writes: bool = False) -> int:
        """From now on so; returns how many requests came up to now."""
        data = urlencode([("share", share), *(("fate", fate) for fate in fates)])
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        try:
            connection.request("POST", f"/faults?{data}{'&writes' if writes else ''}")
            return sum(json.loads(connection.getresponse().read()).values())
        finally:
            connection.close()

    def recovers(self) -> int:
        return self.fails(0.0, MIXED)

    def people(self, domain: str) -> list[str]:
        """Everybody on the account with an address there, as the sandbox itself reports them."""
        found: list[str] = []
        for status in ("active", "inactive", "pending"):
            page = pages = 1
            while page <= pages:
                target = f"/users?page_size=300&page_number={page}&status={status}"
                _, content = self.sandbox.get(target)
                data = json.loads(content)
                pages, page = data["page_count"], page + 1
                found += [user["email"] for user in data["users"]]
        return [email for email in found if email.endswith(domain)]


@contextmanager
def faulty_proxy(sandbox: Server, latency_ms: int) -> Iterator[FaultyProxy]:
    port = free_port()
    command = [sys.executable, "-m", "bench.proxy", f"--port={port}"]
    process = subprocess.Popen(  # noqa: S603
        [*command, f"--upstream={sandbox.port}", f"--latency-ms={latency_ms}"],
        cwd=ROOT,
        env={**os.environ},
        stdout=sys.stderr,
    )
    try:
        server = Server(process.pid, port, sandbox.base_path, sandbox.token, 0)
        wait(process, server)
        yield FaultyProxy(sandbox, server)
    finally:
        process.terminate()
        process.wait(30)


def measured(proxy: FaultyProxy, rounds: int, rows: int, imports: Imports) -> dict[str, Any]:
    """Each mode beside a clean run just before it, rows a second and their ratio."""
    data: dict[str, Any] = {}
    lost = doubled = failed = 0
    for mode in MODES:
        ratios, clean_rates, rates = [], [], []
        for _ in range(rounds):
            proxy.recovers()
            clean = imports.job(rows)
            proxy.fails(mode.share, mode.fates, writes=mode.writes)
            faulty = imports.job(rows)
            proxy.recovers()
            for each in (clean, faulty):
                there = proxy.people(each.domain)
                doubled += len(there) - len(set(there))
                lost += rows - each.failed - len(set(there))
                failed += each.failed
            clean_rates.append(clean.rate)
            rates.append(faulty.rate)
            ratios.append(faulty.rate / clean.rate)
        data[f"{mode.name}_clean_rate"] = round(median(clean_rates), 1)
        data[f"{mode.name}_rate"] = round(median(rates), 1)
        data[f"{mode.name}_ratio"] = round(median(ratios), 2)
    return data | {"faults_lost": lost, "faults_doubled": doubled, "faults_failed": failed}


def dead(proxy: FaultyProxy, rows: int, imports: Imports) -> dict[str, Any]:
    """Counts calls to a service that is dead for a while, in the middle of a job."""
    data = {}
    for fate in ("503", "cut-before"):
        job = imports.begun(rows)
        imports.until_done(job, rows // 4)
        proxy.fails(1.0, (fate,))
        time.sleep(_DEAD_SECONDS)
        data[f"dead_{fate.replace('-', '_')}_calls"] = proxy.recovers()
        ended = imports.end(job)
        there = proxy.people(ended.domain)
        data[f"dead_{fate.replace('-', '_')}_lost"] = rows - len(set(there))
        data[f"dead_{fate.replace('-', '_')}_failed"] = ended.failed
    return data


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The table's lines on it: rows a second, share of the clean run, what is aimed at."""
    for mode in MODES:
        if f"{mode.name}_rate" in data:
            aim = 0.8 if mode.name == "mixed_5" else ""
            yield (
                f"{'A job, ' + mode.words:<44}{data[f'{mode.name}_rate']:>10}"
                f"{data[f'{mode.name}_ratio']:>10}{aim:>10}"
            )
    if "faults_lost" in data:
        wrong = data["faults_lost"] + data["faults_doubled"]
        yield f"{'  rows lost or doubled':<44}{wrong:>10}{'':>10}{0:>10}"
    for name, value in data.items():
        if name.startswith("dead_") and name.endswith("_calls"):
            how = name.removeprefix("dead_").removesuffix("_calls").replace("_", " ")
            words = f"Calls in {_DEAD_SECONDS:g} s of a dead service, {how}"
            yield f"{words:<44}{value:>10}"
