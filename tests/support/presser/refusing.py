"""A service that refuses writes, as one does that has rules of its own."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from portal.client import caller
from portal.client.transport import Answer

WORDS = "The account's owner does not allow this"
_READING = {"GET", "HEAD"}


@contextmanager
def refusing(about: str = "") -> Iterator[None]:
    """Answers writes, or those with this in their address or body, with a refusal that names no
    field; reading goes on."""
    send = caller.send  # type: ignore[attr-defined]  # as the caller has imported it

    def refuse(target: object, method: str, path: str, **kwargs: object) -> Answer:
        if method in _READING or about not in f"{path} {kwargs.get('json')}":
            return send(target, method, path, **kwargs)  # type: ignore[arg-type]
        content = f'{{"code": 300, "message": "{WORDS}."}}'.encode()
        return Answer(400, {"Content-Type": "application/json"}, content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(caller, "send", refuse)
        yield
