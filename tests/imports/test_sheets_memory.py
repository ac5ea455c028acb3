"""Promise 29: however a table is made, and however many come at once, reading takes bounded memory.

Measured in a process of its own, by the most memory that the system saw it use.
"""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from portal.imports.sheets import SheetUnreadable, storage

MEGABYTE = 1_000_000
on_linux = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="reads Linux's own figures"
)
FILES = {
    "a row of commas": 'b"," * 9_000_000',
    "a row of commas over many lines": '(b\'"\\n"\' + b"," * 90_000) * 100',
    "rows of commas": 'b"email" + b",b" * 99 + b"\\n" + (b"x" + b"," * 99 + b"\\n") * 19_000',
}
# Each table is taken in by a copy of the process: the most that one ever used does not go down.
MEASURE = """
import json, os, sys, threading
from contextlib import suppress
import django
django.setup()
from portal.imports.sheets import SheetUnreadable, read, storage

class Kept:
    class objects:
        create = staticmethod(lambda **_: None)

def peak():
    [line] = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024

storage.StoredTable = Kept
storage.store(None, None, "warm", b"email,b\\na,b\\n")

def growth(content):
    before, said = peak(), []

    def upload():
        try:
            storage.store(None, None, "a", bytes(bytearray(content)))
        except SheetUnreadable as problem:
            said.append(str(problem))

    threads = [threading.Thread(target=upload) for _ in range(2)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return [peak() - before, said]

for name, content in json.load(sys.stdin).items():
    copy = os.fork()
    if not copy:
        print(json.dumps([name, growth(eval(content))]), flush=True)
        os._exit(0)
    assert os.waitpid(copy, 0)[1] == 0
"""


def grown(files):
    """By how much a process grows that takes each table twice at once, and what it refused."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE],
        input=json.dumps(files),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(line) for line in done.stdout.splitlines())


@pytest.fixture(scope="module")
def growths():
    return grown(FILES)


@pytest.mark.deep
@on_linux
@pytest.mark.parametrize("table", FILES)
def test_tables_that_come_at_once_take_bounded_memory(table, growths):
    most, said = growths[table]
    assert most < 250 * MEGABYTE, said


def test_one_waits_for_its_turn_and_too_many_come_again_later():
    inside, waiting, go_on = threading.Event(), [], threading.Event()

    def read():
        with storage.turn():
            inside.set()
            waiting.append(1)
            go_on.wait(20)

    threads = [threading.Thread(target=read) for _ in range(5)]
    threads[0].start()
    assert inside.wait(20)
    for thread in threads[1:]:
        thread.start()
    while storage._WAITING._value:
        threads[1].join(0.01)
        assert all(thread.is_alive() for thread in threads)
    with pytest.raises(SheetUnreadable, match="in a moment"), storage.turn():
        pass
    assert len(waiting) == 1
    go_on.set()
    for thread in threads:
        thread.join(20)
    assert len(waiting) == 5
