"""Structured logs: one line an event, with the request's id, and never a token.

Query strings contain tokens: every event, also of libraries, is searched for them before it is
written.
"""

import re
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import structlog
from structlog.typing import EventDict, WrappedLogger

P = ParamSpec("P")
R = TypeVar("R")
_SECRET_KEYS = re.compile(r"token|password|passwd|secret|authorization|cookie|zak", re.IGNORECASE)
_IN_TEXT = re.compile(
    r"""((?:token|password)["']?\s*[=:]\s*["']?|zak=|/password/reset/key/|/keep/|Bearer\s+|Basic\s+(?=[A-Za-z0-9+/]{16}))"""
    r"""[^&\s"'<>\\,;)\]}]+""",
    re.IGNORECASE,
)
_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.StackInfoRenderer(),
]
# One list: loggers that were used before `configure` is called again go on with it.
_PROCESSORS: list[Any] = [*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter]


def with_log_context(call: Callable[P, R]) -> Callable[P, R]:
    """Returns the function for another thread, whose lines have what is bound here and now: ids of
    the request and the task, and the key of the job."""
    bound = structlog.contextvars.get_contextvars()

    def logged(*args: P.args, **kwargs: P.kwargs) -> R:
        with structlog.contextvars.bound_contextvars(**bound):
            return call(*args, **kwargs)

    return logged


def hide_in_text(text: str) -> str:
    """Returns the text without the tokens in its query strings, headers, JSON and reprs."""
    return _IN_TEXT.sub(r"\1[hidden]", text)


def _clean(value: object) -> object:
    if isinstance(value, str):
        return hide_in_text(value)
    if isinstance(value, dict):
        return {key: _clean_entry(key, item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean(item) for item in value]
    if isinstance(value, bool | int | float) or value is None:
        return value
    return hide_in_text(str(value))


def _clean_entry(key: object, value: object) -> object:
    if isinstance(value, str) and isinstance(key, str) and _SECRET_KEYS.search(key):
        return "[hidden]"
    return _clean(value)


def hide_tokens(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replaces every token in a log event, also in the text of an exception."""
    return {key: _clean_entry(key, value) for key, value in event.items()}


def logging_config(level: str, *, as_json: bool) -> dict[str, Any]:
    """Returns the `LOGGING` setting, and sets structlog up, so that both write the same lines."""
    structlog.configure(
        processors=_PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if as_json
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "events": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    hide_tokens,
                    renderer,
                ],
            }
        },
        "handlers": {"out": {"class": "logging.StreamHandler", "formatter": "events"}},
        "root": {"handlers": ["out"], "level": level},
        "loggers": {
            # They log every address at INFO, query string included.
            "httpx": {"level": "WARNING"},
            "httpcore": {"level": "WARNING"},
            # These would repeat the logs of requests and tasks.
            "django.request": {"level": "CRITICAL"},
            "celery.beat": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "CRITICAL"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
        },
    }
