"""Asks pages of the portal over and over, by Django's test client, and sums up the times."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import quantiles
from urllib.parse import urlencode

from django.test import Client


@dataclass(frozen=True)
class Question:
    """One way to ask for a page; `whole` is the page itself and not the fragment `target` of it.

    `has` is what each answer contains.
    """

    title: str
    query: Mapping[str, object]
    whole: bool = False
    target: str = "results"
    has: bytes = b"nav-underline"


def measure(
    client: Client, url: str, asked: list[Question], times: int
) -> dict[str, dict[str, float]]:
    """The figures of each question, which take turns."""
    taken: dict[str, list[float]] = {each.title: [] for each in asked}
    for round_ in range(times + 2):
        for each in asked:
            seconds = ask(client, url, each)
            if round_ >= 2:  # the first ones fill caches
                taken[each.title].append(seconds)
    return {title: figures(each) for title, each in taken.items()}


def ask(client: Client, url: str, question: Question) -> float:
    headers = {} if question.whole else {"HX-Request": "true", "HX-Target": question.target}
    start = time.perf_counter()
    answer = client.get(f"{url}?{urlencode(question.query)}", headers=headers)
    taken = time.perf_counter() - start
    if answer.status_code != 200 or question.has not in answer.content:
        raise RuntimeError(f"{question.title} was answered with {answer.status_code}")
    return taken


def figures(seconds: list[float]) -> dict[str, float]:
    cuts = quantiles(seconds, n=100, method="inclusive")
    return {"p50_ms": round(cuts[49] * 1000, 1), "p95_ms": round(cuts[94] * 1000, 1)}


def cookie(client: Client) -> str:
    """Returns the cookie that a browser with this client's session sends."""
    return "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
