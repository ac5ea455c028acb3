"""The dialects that a connection can be in: those that come with the portal, and the operator's own
in the folder `dialects` of the data directory."""

from functools import lru_cache
from pathlib import Path

import structlog
from django.conf import settings

import portal.client
from portal.client.dialect import AS_DOCUMENTED, Dialect, NoDialect, read_dialect
from portal.translation import gettext as _

_log = structlog.get_logger("portal.access")


def choices() -> list[tuple[str, str]]:
    """Returns the dialects as choices of a form, by the names of their files."""
    found = {name: _read(path) for name, path in _files().items()}
    named = [(name, dialect.title) for name, dialect in sorted(found.items()) if dialect]
    return [("", _("As documented")), *named]


def dialect_named(name: str) -> Dialect:
    """Returns the dialect of a connection. One whose file is gone is the document's own."""
    path = _files().get(name) if name else None
    return (_read(path) if path else None) or AS_DOCUMENTED


def _files() -> dict[str, Path]:
    folders = Path(portal.client.__file__).parent / "dialects", settings.DATA_DIR / "dialects"
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}


def _read(path: Path) -> Dialect | None:
    return _read_once(path, path.stat().st_mtime_ns)


@lru_cache(64)
def _read_once(path: Path, _changed: int) -> Dialect | None:
    try:
        return read_dialect(path)
    except NoDialect as problem:
        _log.warning("dialect not read", problem=str(problem))
        return None
