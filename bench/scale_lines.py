"""Lines that `bench.scale` prints of its figures."""

from collections.abc import Iterator, Mapping
from typing import Any

AIM = 100.0  # ms, p95
SHARE = 0.9  # of the rate limit


def breaks_first(pages: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """The page that would be slowest at ten times all, if it went on to grow as it did so far."""
    ahead = {
        title: each["p95_ms"] + max(each["p95_ms"] - each["tenth_p95_ms"], 0.0) * 10
        for title, each in pages.items()
    }
    title = max(ahead, key=lambda name: ahead[name])
    return {"page": title, "p95_ms": pages[title]["p95_ms"], "p95_ms_at_ten_times": ahead[title]}


def lines(data: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"{'Pages, ms':<30}{'p50':>10}{'p95':>10}{'aim':>10}{'ratio':>10}{'of a tenth':>12}"
    for title, each in data["pages"].items():
        missed = " !" if each["p95_ms"] > AIM else ""
        yield (
            f"{title:<30}{each['p50_ms']:>10}{each['p95_ms']:>10}{AIM:>10.0f}"
            f"{each['p95_ms'] / AIM:>10.2f}{each['tenth_p95_ms']:>12}{missed}"
        )
    refresh, imports, first = data["refresh"], data["imports"], data["breaks_first"]
    yield ""
    yield (
        f"A list read in {refresh['seconds']} s: another connection's page p95 "
        f"{refresh['p95_ms_without']} ms without, {refresh['p95_ms_beside']} ms beside it."
    )
    yield (
        f"Ten imports, {imports['kills']} kills: {imports['rate']} rows/s of {imports['limit']}, "
        f"share {imports['share_of_limit']} (aim {SHARE}), {imports['failed']} failed."
    )
    yield "Memory, MB: " + ", ".join(f"{name} {mb}" for name, mb in data["memory_mb"].items())
    yield (
        f"First to break at ten times all this: {first['page']}, p95 {first['p95_ms']} ms now, "
        f"{first['p95_ms_at_ten_times']:.0f} ms then."
    )
    yield ""
