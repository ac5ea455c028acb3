"""Whole pages by the web server, one after the other, and how long they take."""

import time
from http.client import HTTPConnection
from statistics import quantiles

Figures = dict[str, float]


def seconds(port: int, address: str, cookie: str) -> float:
    """Asks once. Raises `RuntimeError` for another answer than a page."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    began = time.perf_counter()
    try:
        connection.request("GET", address, headers={"Cookie": cookie})
        answer = connection.getresponse()
        answer.read()
    finally:
        connection.close()
    if answer.status != 200:
        raise RuntimeError(f"{address} was answered with {answer.status}.")
    return time.perf_counter() - began


def figures(taken: list[float]) -> Figures:
    cuts = quantiles(taken, n=100, method="inclusive")
    chosen = {"p50_ms": cuts[49], "p95_ms": cuts[94], "max_ms": max(taken)}
    return {name: round(value * 1000, 1) for name, value in chosen.items()}
