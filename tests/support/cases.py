"""Many cases of one promise in one test: a case costs its own microseconds alone."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

Test = Callable[..., None]


def for_each(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Callable[[Any], str] = repr
) -> Callable[[Test], Test]:
    """Runs a test for each of the cases, as `parametrize` does for those that are slow or share
    fixtures; it fails with the cases that fail."""
    listed, keys = list(cases), (names,) if isinstance(names, str) else names

    def decorate(test: Test) -> Test:
        @wraps(test)
        def whole(**fixtures: Any) -> None:
            failed = []
            for case in listed:
                values = (
                    {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))
                )
                try:
                    test(**values, **fixtures)
                except Exception as error:
                    failed.append(f"{ids(case)}: {type(error).__name__}: {error}")
            assert listed, "There is no case."
            assert not failed, "\n".join(failed)

        del whole.__wrapped__
        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in keys]
        whole.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return whole

    return decorate
