"""`make bench-workbooks`: XLSX files, plain and hostile, read by the portal and by python-calamine.

The portal measures a file before openpyxl parses it. python-calamine has an environment of its own
and reads the same files as they are. Each file is read in a new process, within 2 GB and a minute.
"""

import os
import resource
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.command import Options, finish, say
from tests.support.workbooks import SHEET, changed, sheet_xml, workbook

_LOCK = Path(__file__).parent / "clients" / "locks" / "calamine.txt"
_MOST_MEMORY = 2_000_000_000
_MOST_SECONDS = 60
_MEMORY = """
from pathlib import Path
print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
"""
_BY_PORTAL = (
    """
import sys
from pathlib import Path
import django
django.setup()
from portal.imports.sheets import Limits, SheetUnreadable, read
try:
    sheet = read(Path(sys.argv[1]).read_bytes(), limits=Limits())
    rows = [sheet.headers, *((row.problem or row.cells) for row in sheet.rows)]
    print(len(rows), rows[-1])
except SheetUnreadable as error:
    print(error)
"""
    + _MEMORY
)
_BY_CALAMINE = (
    """
import sys
from python_calamine import CalamineWorkbook
rows = CalamineWorkbook.from_path(sys.argv[1]).get_sheet_by_index(0).to_python()
print(len(rows), rows[-1])
"""
    + _MEMORY
)
_HEAD = b'<row r="1"><c r="A1" t="str"><v>Email</v></c></row>'


def main() -> None:
    parser = Options("workbooks", __doc__, rows=200, readers="portal")
    parser.add_argument("--rows", type=int, default=50_000, help="rows of the plain workbook")
    parser.add_argument("--environment", type=Path, default=Path(".data/clients/calamine"))
    parser.add_argument("--readers", default="portal,calamine", help="or one of them alone")
    given = parser.given()
    commands = {"portal": [sys.executable, "-c", _BY_PORTAL]}
    if "calamine" in given.readers:
        python = _installed(given.environment.absolute())
        commands["calamine"] = [str(python), "-c", _BY_CALAMINE]
    data: dict[str, dict[str, dict[str, Any]]] = {}
    say(f"{'':<28}{'reader':<10}{'seconds':>8}{'MB':>7}  result")
    with TemporaryDirectory() as made:
        path = Path(made, "people.xlsx")
        for name, content in _workbooks(given.rows):
            path.write_bytes(content)
            for reader, command in commands.items():
                figures = _measured([*command, str(path)])
                data.setdefault(name, {})[reader] = figures
                say(
                    f"{name:<28}{reader:<10}{figures['seconds']:>8}{figures['mb']:>7}"
                    f"  {figures['result']}"
                )
    finish(data)


def _installed(environment: Path) -> Path:
    """Returns the interpreter of an environment with python-calamine."""
    python = environment / "bin" / "python"
    if not python.exists():
        venv.create(environment, with_pip=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    subprocess.run([*pip, "--require-hashes", "-r", str(_LOCK)], check=True)  # noqa: S603
    return python


def _workbooks(rows: int) -> Iterator[tuple[str, bytes]]:
    head = ("Email", "First name", "Number")
    yield f"{rows} people", workbook(head, *([f"p{n}@a.example", "Ada", n] for n in range(rows)))
    yield "50 %, and 42 as 00042", workbook(("Share", "Code"), (0.5, 42), edit=_format)
    small = workbook(("Email",))
    yield "formula without a result", workbook(("Email",), ("=1+1",))
    rows_of_xml = {
        "error in a cell": b'<row r="2"><c r="A2" t="e"><v>#N/A</v></c></row>',
        "cell in the last row": b'<row r="1048576"><c r="A1048576"><v>1</v></c></row>',
        "cell in the last corner": b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        "4 million empty cells": b'<row r="2">' + b"<c/>" * 4_000_000 + b"</row>",
        "150 MB of one letter": b'<row r="2"><c r="A2" t="inlineStr"><is><t>'
        + b"a" * 150_000_000
        + b"</t></is></c></row>",
    }
    for name, xml in rows_of_xml.items():
        yield name, changed(small, **{SHEET: sheet_xml(_HEAD + xml)})


def _format(book: Any) -> None:
    book.active["A2"].number_format, book.active["B2"].number_format = "0%", "00000"


def _measured(command: list[str]) -> dict[str, Any]:
    """Returns the seconds of a process, and the result and the highest memory in MB that it
    prints; one that dies prints no memory."""
    began = time.perf_counter()
    process = subprocess.run(  # noqa: S603
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "portal.config.build_settings"},
        preexec_fn=_limit,
    )
    seconds = round(time.perf_counter() - began, 2)
    if process.returncode:
        return {"seconds": seconds, "mb": "-", "result": f"died: {process.returncode}"}
    result, memory = process.stdout.splitlines()[-2:]
    return {"seconds": seconds, "mb": round(int(memory) / 1e3), "result": result[:90]}


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))


if __name__ == "__main__":
    main()
