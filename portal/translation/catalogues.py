"""The catalogues of the rooms: the messages of each, and the files of their translations.

A room's messages are those of its Python files and templates. Translations are files of gettext
(PO); the compiled file beside each (MO) is not in the repository.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation.template import templatize

_PORTAL = Path(__file__).parents[1]
_TEMPLATES = _PORTAL.parent / "templates"
# Folders of templates whose names differ from those of their rooms.
_FOLDERS = {"sign_in": ("sign_in", "allauth", "mfa", "socialaccount")}
_CONTEXT = "\x04"  # between a context and its message
# Functions that list the words which a room declares without marking them.
_DECLARED = {"contract": "portal.contract.declared.declared_words"}
_HEADER: dict[str, Any] = {
    "header_comment": "# Made by `make messages`, translated by hand.",
    "project": "Switchboard",
    "charset": "utf-8",
    "fuzzy": False,
}
_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # Babel writes the present minute otherwise
# Lines of a header that change without a change of messages.
_VOLATILE = (
    *(b"-Date: ", b"Generated-By: ", b"Bugs-To: ", b"-Team: ", b"-Translator: ", b"Id-Version"),
)
_KEYWORDS: dict[str, Any] = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "gettext_noop": None,
    "Message": None,
    "pgettext_noop": ((1, "c"), 2),
}
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def rooms() -> list[str]:
    """Returns the rooms that have messages, in the order of their names."""
    return sorted(
        folder.name
        for folder in _PORTAL.iterdir()
        if (folder / "__init__.py").exists() and folder.name not in ("sandbox", "translation")
    )


def file_of(room: str, language: str) -> Path:
    return _PORTAL / room / "locale" / language / "LC_MESSAGES" / "django.po"


def templates_of(room: str) -> Iterator[Path]:
    """Yields the templates of a room, and for `ui` also those of no room."""
    for folder in _FOLDERS.get(room, (room,)):
        yield from sorted(path for path in (_TEMPLATES / folder).rglob("*") if path.is_file())
    if room == "ui":
        yield from sorted(path for path in _TEMPLATES.iterdir() if path.is_file())


def read(room: str) -> Catalog:
    """Returns all messages of a room from its files."""
    catalogue = Catalog()
    for path in sorted((_PORTAL / room).rglob("*.py")):
        if "migrations" not in path.parts:
            _add(catalogue, "python", path)
    for path in templates_of(room):
        _add(catalogue, _template, path)
    for words in declared(room):
        context, _, message = words.rpartition(_CONTEXT)
        catalogue.add(message, context=context or None)
    return catalogue


def declared(room: str) -> Iterator[str]:
    """Yields the words that a room's models and choices declare."""
    if room in _DECLARED:
        yield from import_string(_DECLARED[room])()


def translations(room: str, language: str) -> Catalog:
    """Returns the catalogue so far; empty if a room has no file yet."""
    path = file_of(room, language)
    if not path.exists():
        return Catalog(locale=language, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update(room: str, language: str) -> Catalog:
    """Writes the room's messages into its file, with their translations, and without others."""
    existing, now = translations(room, language), read(room)
    whole = Catalog(locale=language, **_HEADER)
    for message in sorted(now, key=_place):
        if message.id:
            earlier = existing.get(message.id, message.context)
            whole.add(message.id, earlier.string if earlier else "", context=message.context)
    if len(whole):
        path = file_of(room, language)
        path.parent.mkdir(parents=True, exist_ok=True)
        written = BytesIO()
        write_po(written, whole, width=100, omit_header=False, no_location=True)
        lines = written.getvalue().splitlines(keepends=True)
        path.write_bytes(b"".join(one for one in lines if not any(map(one.count, _VOLATILE))))
    return whole


def compile_all() -> int:
    """Compiles every file of translations for Django. Returns the count of files.

    The same translations compile to the same bytes. A simultaneous reader reads a whole file, the
    one before or the new one.
    """
    sources = sorted(_PORTAL.glob("*/locale/*/LC_MESSAGES/django.po"))
    for path in sources:
        with path.open("rb") as file:
            catalogue = read_po(file)
        catalogue.creation_date = _NO_DATE
        made = path.with_suffix(f".{os.getpid()}.mo")
        with made.open("wb") as file:
            write_mo(file, catalogue)
        made.replace(path.with_suffix(".mo"))
    return len(sources)


def missing(catalogue: Catalog) -> list[Message]:
    """Returns the messages without a translation."""
    results = []
    for message in catalogue:
        strings = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if message.id and not all(strings):
            results.append(message)
    return results


def _add(catalogue: Catalog, method: Any, path: Path) -> None:
    with path.open("rb") as file:
        for _, message, _, context in extract(method, file, keywords=_KEYWORDS):
            catalogue.add(message, context=context)


def _template(file: Any, keywords: Any, comment_tags: Any, options: Any) -> Iterator[object]:
    """Yields the messages of a Django template, which Django turns into Python for Babel."""
    # The indentation of a template has no meaning, but that of Python has.
    lines = templatize(file.read().decode()).splitlines()
    source = "\n".join(line.lstrip() for line in lines)
    yield from extract_python(BytesIO(source.encode()), keywords, comment_tags, options)


def _place(message: Message) -> tuple[str, str]:
    words = message.id if isinstance(message.id, str) else message.id[0]
    return words.casefold(), message.context or ""
