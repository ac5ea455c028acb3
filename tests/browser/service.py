"""The service of the running demo, asked past the portal."""

from typing import Any

import httpx

from tests.browser.shared_demonstration import Demo
from tests.support import plain_http


def service(demo: Demo) -> httpx.Client:
    """Asks the service that the demo stands for."""
    headers = {"Authorization": f"Bearer {demo.sandbox_token}"}
    return plain_http.Client(base_url=demo.sandbox_url, headers=headers, timeout=30)


def ask(demo: Demo, method: str, path: str, **sent: Any) -> httpx.Response:
    """The service's own answer, whatever it is."""
    with service(demo) as asked:
        return asked.request(method, path, **sent)


def call(demo: Demo, method: str, path: str, **sent: Any) -> Any:
    """Returns the service's report after it does as it is asked."""
    answer = ask(demo, method, path, **sent)
    assert answer.status_code < 300, answer.text
    return answer.json() if answer.content else None
