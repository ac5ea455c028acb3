"""Many threads, one connection, and a service that means its limit."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from portal.client import (
    UNLIMITED,
    Api,
    HttpCaller,
    LocalRateLimit,
    RateLimiter,
    RetryPolicy,
    Secret,
    Target,
)
from tests.client.conftest import LOOPBACK

LIMIT = 20
THREADS = 20
CALLS = 80


class CountingRateLimit(LocalRateLimit):
    refusals = 0

    def refused(self, age: float, retry_after: float | None) -> None:
        self.refusals += 1
        super().refused(age, retry_after)


@pytest.mark.parametrize(
    ("ceiling", "most_refusals"),
    [(LIMIT, 1), (UNLIMITED, THREADS + 5)],
    ids=["a limit that is known", "a limit that is learned"],
)
def test_threads_under_limit_finish_calls_with_few_refusals(
    sandbox_factory, ceiling, most_refusals
):
    sandbox = sandbox_factory(f"--rate-limit={LIMIT}/s")
    limit = CountingRateLimit(ceiling)
    target = Target(sandbox.url, Secret(sandbox.token), LOOPBACK, bearer=True)
    api = Api(
        HttpCaller(
            lambda: target, RetryPolicy(seconds=60), rate_limiter=RateLimiter(limit), urgent=False
        )
    )

    with ThreadPoolExecutor(THREADS) as pool:
        pages = list(pool.map(lambda _: api.users.list(), range(CALLS)))

    assert all(page.users for page in pages)
    assert limit.refusals <= most_refusals
    assert limit.rate >= 0.8 * LIMIT
