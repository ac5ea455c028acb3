"""A faulty proxy before the service, as a process of its own: `python -m bench.proxy`.

Forwards to a port of this machine after some delay. A share of the requests, drawn from a seeded
generator, meets a fate instead: `503` (it does not arrive), `cut-before` and `cut-after` (the
connection ends before or after it has arrived), `garbage` (it arrives, the answer is a web page).
`POST /faults` changes share and fates, and answers with the counts up to then.
"""

import argparse
import asyncio
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import parse_qs

FATES = ("503", "cut-before", "cut-after", "garbage")
_PAGE = b"<html>Welcome to the hotel</html>"


@dataclass
class FaultyProxy:
    """Proxy that fails requests by its mode and counts them; `writes` spares all but POST."""

    upstream: int
    latency: float
    share: float = 0.0
    fates: tuple[str, ...] = FATES
    writes: bool = False
    met: Counter[str] = field(default_factory=Counter)
    chance: random.Random = field(default_factory=lambda: random.Random(7))  # noqa: S311

    def fate(self, method: str) -> str:
        spared = self.writes and method != "POST"
        bad = not spared and self.chance.random() < self.share
        met = self.chance.choice(self.fates) if bad else "arrives"
        self.met[met] += 1
        return met

    def changed(self, data: dict[str, list[str]]) -> Counter[str]:
        met, self.met = self.met, Counter()
        self.share = float(data["share"][0])
        self.fates = tuple(data.get("fate", FATES))
        self.writes = "writes" in data
        return met

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, to its end."""
        line = _Line(self.upstream)
        try:
            while await self._one(reader, writer, line):
                pass
        except (OSError, asyncio.IncompleteReadError):
            pass  # one of both sides has left
        finally:
            line.close()
            writer.close()

    async def _one(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: "_Line"
    ) -> bool:
        head, body = await _message(reader)
        method, target, _ = head.split(b" ", 2)
        if target.startswith(b"/faults?"):
            met = self.changed(parse_qs(target.decode().partition("?")[2], keep_blank_values=True))
            writer.write(_answer(b"200 OK", json.dumps(met).encode()))
            return True
        met_with = self.fate(method.decode())
        await asyncio.sleep(self.latency)
        if met_with == "503":
            writer.write(_answer(b"503 Service Unavailable", b'{"code": 503, "message": "Busy"}'))
            return True
        if met_with == "cut-before":
            return False
        answer = await line.ask(head + body)
        if met_with == "garbage":
            answer = _answer(b"200 OK", _PAGE)
        if met_with != "cut-after":
            writer.write(answer)
        return met_with != "cut-after"


class _Line:
    """A connection to the service, made when it is needed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> bytes:
        if self._ends is None:
            self._ends = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._ends
        writer.write(request)
        head, body = await _message(reader)
        if b"\r\nconnection: close" in head.lower():
            self.close()
        return head + body

    def close(self) -> None:
        if self._ends:
            self._ends[1].close()
            self._ends = None


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """A request or an answer: its head, and its body as it came."""
    head = await reader.readuntil(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if b": " in line)
    if fields.get(b"transfer-encoding") == b"chunked":
        body = b""
        while not body.endswith(b"0\r\n\r\n"):
            body += await reader.readuntil(b"\r\n")
        return head, body
    return head, await reader.readexactly(int(fields.get(b"content-length", 0)))


def _answer(status: bytes, body: bytes) -> bytes:
    return b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b" % (status, len(body), body)


async def _serve(port: int, proxy: FaultyProxy) -> None:
    server = await asyncio.start_server(proxy.carry, "127.0.0.1", port, backlog=256)
    async with server:
        await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.proxy", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--upstream", type=int, required=True)
    parser.add_argument("--latency-ms", type=int, default=0)
    given = parser.parse_args()
    asyncio.run(_serve(given.port, FaultyProxy(given.upstream, given.latency_ms / 1000)))


if __name__ == "__main__":
    main()
