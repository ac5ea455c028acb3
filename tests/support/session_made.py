"""Sessions that tests made, as the service reports them."""

from typing import Any

from portal.sessions.specs import SessionSpec
from tests.support.sandbox import Sandbox


class Made:
    """A session in the sandbox."""

    def __init__(self, sandbox: Sandbox, spec: SessionSpec, number: str) -> None:
        self._sandbox = sandbox
        self.spec = spec
        self.id = number

    def now(self) -> dict[str, Any]:
        """The session as the service reports; empty if it is gone."""
        answer = self._sandbox.client.get(f"/{self.spec.family}/{self.id}")
        return dict(answer.json()) if answer.status_code == 200 else {}

    def set(self, **changes: Any) -> None:
        """Changes it behind the portal's back."""
        answer = self._sandbox.client.patch(f"/{self.spec.family}/{self.id}", json=changes)
        assert answer.status_code == 204, answer.text
