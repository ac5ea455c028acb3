"""Values that a control does not take: what a person mistypes, or a page that is stale still
offers."""

from collections.abc import Iterator

from tests.support.presser.forms import Control, PageForm

_TOO_LONG = "x" * 20_000
_BY_KIND = {
    "email": "nobody at all",
    "number": "many",
    "date": "soon",
    "time": "later",
    "datetime-local": "soon",
    "url": "nowhere",
    "select": "not-on-offer",
    "radio": "not-on-offer",
}
SEARCHES = "search:"
_TEXTS = {"text", "textarea", "search", "tel", "password"}


def invalid_values(form: PageForm) -> Iterator[tuple[Control, str]]:
    """Yields controls with a value that each should refuse, required ones first; one that may not
    refuse it, such as a text that may be long, comes last."""
    seen: set[str] = set()
    open_to_all = [one for one in form.controls if _can_be_set(one)]
    for is_sure in (True, False):
        for control in open_to_all:
            value = _sure(control) if is_sure else _likely(control)
            if value is not None and control.name not in seen:
                seen.add(control.name)
                yield control, value


def _can_be_set(control: Control) -> bool:
    if control.name.startswith(SEARCHES):
        return False  # it finds what is to be picked, and is no part of what is sent
    return control.is_typed_into or (
        control.kind in {"select", "radio"} and not control.is_disabled
    )


def _sure(control: Control) -> str | None:
    if control.kind in _BY_KIND:
        return _BY_KIND[control.kind]
    return "" if control.kind in _TEXTS and control.is_required else None


def _likely(control: Control) -> str | None:
    return _TOO_LONG if control.kind in _TEXTS else None
