"""Has allauth go by the clock of the database: codes of an app, proofs and codes by mail
are judged by another machine than the one that noted them, or by the clock of a phone."""

import time
from importlib import import_module
from typing import Any

from portal.config import clock

# Its modules that take the time of the machine, by `time.time()`.
MODULES = (
    "allauth.account.internal.flows.code_verification",
    "allauth.account.internal.flows.login",
    "allauth.account.internal.flows.password_reset_by_code",
    "allauth.account.internal.flows.reauthentication",
    "allauth.account.internal.stagekit",
    "allauth.account.models",
    "allauth.mfa.internal.flows.trust",
    "allauth.mfa.recovery_codes.internal.auth",
    "allauth.mfa.totp.internal.auth",
)


class _DatabaseTime:
    """The module `time`, of which the time of day is the database's."""

    def time(self) -> float:
        return clock.now().timestamp()

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


def go_by_the_database() -> None:
    for name in MODULES:
        import_module(name).time = _DatabaseTime()  # type: ignore[attr-defined]
