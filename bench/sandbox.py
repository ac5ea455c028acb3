"""`make bench-sandbox`: how fast the sandbox answers, beside a static mock of its own document."""

import argparse
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import servers
from bench.command import Aim, Options, finish, say
from bench.load import Clients, Figures, Workload, clients
from bench.report import MEMORY_AIM, STARTUP_AIM, Measured, best, figures_of, lines
from bench.servers import Server
from bench.workloads import AIMS as SHARES, NOT_OF_A_MOCK, at, workloads
from portal.contract.openapi import document as interface

_WARM_UP = 0.5
_STARTS = 3
AIMS = (
    *(
        Aim(f"{name}, to a mock's {share.of}", f"ratios/{name}", share.share)
        for name, share in SHARES.items()
    ),
    Aim("Start on existing data, s", "startup_seconds", STARTUP_AIM, at_most=True),
    Aim("Memory of all processes, MB", "server_mb", MEMORY_AIM, at_most=True),
)
Rounds = dict[str, list[Figures]]


def main() -> None:
    given = _arguments()
    with TemporaryDirectory() as made, ExitStack() as running:
        data_dir = Path(made, "sandbox")
        with servers.sandbox(data_dir, given.users) as loading:
            say(f"{given.users} users are made and served in {loading.startup_seconds} s.")
        startups = [_start_once(data_dir, given.users) for _ in range(_STARTS - 1)]
        sandbox = running.enter_context(servers.sandbox(data_dir, given.users))
        startups.append(sandbox.startup_seconds)
        prism = _prism(Path(made), running)
        asked = list(workloads(_ids(sandbox), given.users))
        measured = _measure(given, asked, [sandbox, *([prism] if prism else [])])
        mine = Measured(measured[sandbox.port], startups, *sandbox.memory())
        mock = None
        if prism:
            mock = Measured(measured[prism.port], [prism.startup_seconds], *prism.memory())
    say(f"Best of {given.rounds} rounds of {given.seconds:g} s, {given.clients} clients.\n")
    say(*lines(asked, mine, mock))
    finish(figures_of(asked, mine, mock), AIMS)


def _arguments() -> argparse.Namespace:
    parser = Options("sandbox", __doc__, users=200, clients=2, rounds=1, seconds=0.2)
    parser.add_argument("--users", type=int, default=10_000, help="people in the account")
    parser.add_argument("--clients", type=int, default=8, help="processes with a connection each")
    parser.add_argument("--rounds", type=int, default=3, help="the servers take turns in each")
    parser.add_argument("--seconds", type=float, default=2.0, help="per workload and round")
    return parser.given()


def _start_once(data_dir: Path, users: int) -> float:
    with servers.sandbox(data_dir, users) as started:
        return started.startup_seconds


def _prism(directory: Path, running: ExitStack) -> Server | None:
    if not servers.PRISM.exists():
        say("Prism is not installed (`make bench-sandbox` does that): nothing to compare with.")
        return None
    described = directory / "openapi.json"
    described.write_text(json.dumps(interface()))
    return running.enter_context(servers.prism(described))


def _ids(sandbox: Server) -> list[str]:
    _, content = sandbox.get("/users?page_size=300")
    return [each["id"] for each in json.loads(content)["users"]]


def _measure(
    given: argparse.Namespace, asked: list[Workload], measured: list[Server]
) -> dict[int, dict[str, Figures]]:
    """The best round of each workload by the server's port; the servers take turns."""
    sandbox, *others = measured
    served = [each for each in asked if _is_served(sandbox, each)]
    pairs = [(sandbox, each) for each in served]
    pairs += [(mock, each) for mock in others for each in served if each.name not in NOT_OF_A_MOCK]
    pairs.sort(key=lambda pair: asked.index(pair[1]))
    rounds: dict[int, Rounds] = {server.port: {} for server in measured}
    with clients(given.clients) as started:
        for server, workload in pairs:
            _take(started, server, workload, _WARM_UP)
        for number in range(given.rounds):
            print(f"Round {number + 1} …", file=sys.stderr, flush=True)  # noqa: T201
            for server, workload in pairs:
                figures = _take(started, server, workload, given.seconds)
                rounds[server.port].setdefault(workload.name, []).append(figures)
    return {
        port: {name: best(figures) for name, figures in taken.items()}
        for port, taken in rounds.items()
    }


def _take(started: Clients, server: Server, workload: Workload, seconds: float) -> Figures:
    return started.measure(server.port, at(server, workload), seconds)


def _is_served(sandbox: Server, workload: Workload) -> bool:
    if workload.method != "GET":
        return True
    status, _ = sandbox.get(workload.targets[0])
    if status != 200:
        say(f"{workload.title}: answered with {status}, so not measured.")
    return status == 200


if __name__ == "__main__":
    main()
