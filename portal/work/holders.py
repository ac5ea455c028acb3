"""Which process holds a job, named so that another of the same machine can see whether it lives.

By the kernel's word alone: the process number counts for nothing without the boot and the
namespace that it was given in, nor without its start, since numbers come again. Where the kernel
does not say it (no Linux, another machine, container or user), nothing is known, and a lease has to
run out.
"""

import os
import socket
from pathlib import Path

_PROC = Path("/proc")
_ENDED = frozenset("ZXx")


def holder(pid: int | None = None) -> str:
    """Names a process, by default this one; empty where it cannot be distinguished from others."""
    pid = pid or os.getpid()
    here = _here()
    known = _stat(pid) if here else None
    return f"{here} {pid} {known[1]}" if known else ""


def is_gone(name: str) -> bool:
    """Returns whether the process of this name has ended for certain."""
    place, _, process = name.partition(" ")
    if not process or place != _here():
        return False
    pid, _, started = process.partition(" ")
    try:
        found = _stat(int(pid))
    except (OSError, ValueError):
        return False
    return found is None or found[0] in _ENDED or found[1] != started


def _here() -> str:
    """The running kernel, the machine as it calls itself, the namespace of process numbers, and the
    user: of another user's processes the kernel may not report it."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        namespace = (_PROC / "self/ns/pid").stat().st_ino
    except OSError:
        return ""
    try:
        machine = Path("/etc/machine-id").read_text().strip()
    except OSError:
        machine = ""
    return f"{boot}/{machine}/{socket.gethostname()[:64]}/{namespace}/{os.getuid()}"


def _stat(pid: int) -> tuple[str, str] | None:
    """State and start of a process; None where there is none. Raises `OSError`."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()  # its name may hold anything
    return fields[0], fields[19]
