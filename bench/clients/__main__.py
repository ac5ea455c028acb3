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
from bench.sandbox import say
from bench.servers import Server

_HERE = Path(__file__).parent
_TIMEOUT = 600.0


@dataclass(frozen=True)
class Library:
    """`least` is how many of its `calls` have to succeed; the others are outside the interface,
    broken on purpose or by the library."""

    name: str
    script: str
    least: int
    calls: int

    def command(self, environments: Path) -> list[str]:
        """Returns what runs its script, once it is installed."""
        script = str(_HERE / self.script)
        if script.endswith(".js"):
            return ["node", script]
        python = environments / self.name / "bin" / "python"
        if not python.exists():
            venv.create(environments / self.name, with_pip=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        lock = str(_HERE / "locks" / f"{self.name}.txt")
        subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)  # noqa: S603
        return [str(python), script]


LIBRARIES = (
    Library("pyzoom", "pyzoom_calls.py", 17, 17),
    Library("zoom-python", "zoom_python_calls.py", 13, 13),
    Library("aiozoom", "aiozoom_calls.py", 13, 14),
    Library("zoomapi", "zoomapi_calls.js", 46, 53),
    Library("pw-zoomus", "pw_zoomus_calls.py", 41, 45),
    Library("tap-zoom", "tap_streams.py", 12, 12),
)


def main() -> int:
    given = _arguments()
    missed = False
    say(f"{'':<14}{'succeeded':>10}{'of':>6}{'aim':>6}")
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
            missed = missed or is_short
            say(
                f"{library.name:<14}{succeeded:>10}{len(told):>6}{library.least:>6}"
                f"{' !' if is_short else ''}"
            )
            for each in failed:
                say(f"  {each['call']}: {each['why'][:120]}")
    return int(missed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.clients", description=__doc__)
    parser.add_argument("--only", action="append", help="a library; may be given several times")
    parser.add_argument("--users", type=int, default=60, help="people in the account")
    parser.add_argument(
        "--environments",
        type=Path,
        default=Path(".data/clients").absolute(),
        help="where libraries are installed",
    )
    return parser.parse_args()


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
