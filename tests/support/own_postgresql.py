"""A PostgreSQL of a test's own at the other end of a line."""

import shutil
import signal
import subprocess
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest

from tests.support.cut_line import CutLine

_USER = "postgres"
_AS_USER = ("setpriv", f"--reuid={_USER}", f"--regid={_USER}", "--clear-groups")


class OwnPostgreSQL:
    """Made for this test, by the user whom PostgreSQL was installed for."""

    def __init__(self, line: CutLine) -> None:
        if not shutil.which("pg_config"):
            pytest.skip("PostgreSQL is not installed")
        told = subprocess.run(["pg_config", "--bindir"], check=True, capture_output=True, text=True)
        programs, self._line = Path(told.stdout.strip()), line
        self._place = Path(mkdtemp(prefix="own-postgresql-"))
        shutil.chown(self._place, _USER)
        data = self._place / "data"
        made: list[str | Path] = [
            programs / "initdb",
            "--no-sync",
            "--auth=trust",
            f"--username={_USER}",
            data,
        ]
        subprocess.run([*_AS_USER, *made], check=True, stdout=subprocess.DEVNULL)
        with (data / "pg_hba.conf").open("a") as allowed:
            allowed.write("host all all samenet trust\n")
        settings = (f"listen_addresses={line.address}", "unix_socket_directories=", "fsync=off")
        flags = [word for setting in settings for word in ("-c", setting)]
        self.url = f"postgres://{_USER}@{line.address}:5432/{_USER}"
        self._command: list[str | Path] = [
            *line.within,
            *_AS_USER,
            programs / "postgres",
            "-D",
            data,
            *flags,
        ]
        self._start()

    def told(self, sql: str) -> str:
        """Returns the value that is asked for at its end of the line, whatever the line is like."""
        command = ["psql", "--no-psqlrc", "--tuples-only", "--no-align", "--command", sql, self.url]
        answer = subprocess.run(
            [*self._line.within, *command], check=True, capture_output=True, text=True
        )
        return answer.stdout.strip()

    def restart(self) -> None:
        """As an operator does, who has it end all connections at once."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait()
        self._start()

    def close(self) -> None:
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()
        shutil.rmtree(self._place)

    def _start(self) -> None:
        with (self._place / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        while not self._answers():
            assert self._process.poll() is None, (self._place / "log").read_text()

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True
