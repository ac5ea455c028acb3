"""`make bench-clients`: client libraries that people use, unchanged, on the sandbox as a service of
today. Each is installed in an environment of its own, and makes the calls that it has."""

import argparse
import json
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import servers
from bench.command import Aim, Options, finish, say, unavailable
from bench.servers import Server

_HERE = Path(__file__).parent
_TIMEOUT = 600.0


@dataclass(frozen=True)
class Library:
    """`least` is how many of its `calls` have to succeed; the others are outside the interface,
    broken on purpose or by the library. `own_bugs` are calls that fail by the library's fault."""

    name: str
    script: str
    least: int
    calls: int
    own_bugs: tuple[str, ...] = ()

    def command(self, environments: Path) -> list[str]:
        """Returns what runs its script, once it is installed."""
        script = str(_HERE / self.script)
        if script.endswith((".js", ".cjs")):
            if not (_HERE.parent / "node_modules").is_dir():
                unavailable("npm packages are missing: `make bench-clients` installs them.")
            return ["node", script]
        python = environments / self.name / "bin" / "python"
        if not python.exists():
            venv.create(environments / self.name, with_pip=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        lock = str(_HERE / "locks" / f"{self.name}.txt")
        subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)  # noqa: S603
        return [str(python), script]


AIMS = (Aim("Calls that fail, of those that are to succeed", "libraries/*/short", 0, at_most=True),)
LIBRARIES = (
    Library("pyzoom", "pyzoom_calls.py", 17, 17),
    Library("zoom-python", "zoom_python_calls.py", 13, 13),
    Library("aiozoom", "aiozoom_calls.py", 13, 14),
    Library("zoomapi", "zoomapi_calls.js", 46, 53),
    Library("pw-zoomus", "pw_zoomus_calls.py", 41, 45),
    Library("tap-zoom", "tap_streams.py", 12, 12),
    Library("rivet", "rivet_calls.cjs", 29, 29),
    Library("dlzoom", "dlzoom_calls.py", 7, 7),
    Library("zoom-api-helper", "zoom_api_helper_calls.py", 4, 4),
    Library("basic-zoom", "basic_zoom_calls.py", 5, 5),
    Library("pyzooms2s", "pyzooms2s_calls.py", 4, 4),
    Library("easyzoom", "easyzoom_calls.py", 1, 2, own_bugs=("get_link",)),
)


def main() -> int:
    given = _arguments()
    figures: dict[str, dict[str, int]] = {}
    say(f"{'':<16}{'succeeded':>10}{'of':>6}{'aim':>6}")
    with TemporaryDirectory() as made:
        for library in LIBRARIES:
            if given.only and library.name not in given.only:
                continue
            flags = ("--profile=current", "--frozen")
            with servers.sandbox(Path(made, library.name), given.users, *flags) as server:
                told = list(_run(library, given.environments, server))
            failed = [each for each in told if each["why"]]
            succeeded = len(told) - len(failed)
            is_short = succeeded < library.least or len(told) != library.calls
            short = max(library.least - succeeded, abs(len(told) - library.calls))
            figures[library.name] = {"succeeded": succeeded, "calls": len(told), "short": short}
            say(
                f"{library.name:<16}{succeeded:>10}{len(told):>6}{library.least:>6}"
                f"{' !' if is_short else ''}"
            )
            for each in failed:
                whose = " (own bug)" if each["call"] in library.own_bugs else ""
                say(f"  {each['call']}{whose}: {each['why'][:120]}")
    finish({"libraries": figures}, AIMS)
    return int(any(one["short"] > 0 for one in figures.values()))


def _arguments() -> argparse.Namespace:
    parser = Options("clients", __doc__, only=["zoomapi"])
    parser.add_argument("--only", action="append", help="a library; may be given several times")
    parser.add_argument("--users", type=int, default=60, help="people in the account")
    parser.add_argument(
        "--environments",
        type=Path,
        default=Path(".data/clients").absolute(),
        help="where libraries are installed",
    )
    return parser.given()


def _run(library: Library, environments: Path, server: Server) -> Iterator[dict[str, str]]:
    ran = subprocess.run(  # noqa: S603
        [*library.command(environments), f"http://127.0.0.1:{server.port}", server.token],
        env={**os.environ, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )
    if ran.returncode:
        raise RuntimeError(f"{library.name} did not run:\n{ran.stderr[-2000:]}")
    for line in ran.stdout.splitlines():
        yield json.loads(line)


if __name__ == "__main__":
    sys.exit(main())
