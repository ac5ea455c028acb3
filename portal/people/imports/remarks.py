"""Questions of an import's preview about departments, above its rows."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from portal.people.imports.account import ImportAccount
from portal.people.imports.rows import PersonImportRow
from portal.translation import ngettext, number

_MOST = 10  # departments that are named
_MOST_COMPARED = 300  # with each other, letter by letter
_LONG_ENOUGH = 5  # letters of a name that is compared letter by letter


def questions(rows: Iterable[PersonImportRow], account: ImportAccount) -> Iterator[str]:
    """Asks about departments that are new, and almost those that there are, or each other."""
    given = Counter(str(row.profile.get("dept") or "") for row in rows if not row.problems)
    known = {one.user.dept for one in account.people.values() if one.user.dept}
    new = [name for name in given if name and name not in known]
    by_letters = {_folded(name): name for name in sorted(known)}
    asked = []
    for name in new:
        folded = _folded(name)
        alike = by_letters.get(folded, "")
        if not alike and len(new) <= _MOST_COMPARED:
            alike = next((by_letters[one] for one in by_letters if _is_near(one, folded)), "")
        if alike:
            asked.append((name, alike))
        by_letters.setdefault(folded, name)
    for name, alike in asked[:_MOST]:
        words = ngettext(
            "%(count)s row: is the department “%(name)s” meant to be “%(alike)s”? As it is "
            "written, it becomes a department of its own.",
            "%(count)s rows: is the department “%(name)s” meant to be “%(alike)s”? As it is "
            "written, it becomes a department of its own.",
            given[name],
        )
        yield words % {"count": number(given[name]), "name": name, "alike": alike}
    if (more := len(asked) - _MOST) > 0:
        words = ngettext(
            "%(count)s more department is written almost as another.",
            "%(count)s more departments are written almost as others.",
            more,
        )
        yield words % {"count": number(more)}


def _folded(name: str) -> str:
    """A name without what it may be written with or without: case, accents and spaces."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(one for one in parts if not unicodedata.combining(one) and not one.isspace())


def _is_near(one: str, other: str) -> bool:
    """If a letter was left out, put in or mistaken: "Team 1" and "Team 2" are two."""
    short, long = sorted((one, other), key=len)
    if len(short) < _LONG_ENOUGH or len(long) - len(short) > 1:
        return False
    pairs = enumerate(zip(short, long, strict=False))
    at = next((place for place, (a, b) in pairs if a != b), len(short))
    rest = short[at + 1 :] if len(short) == len(long) else short[at:]
    differing = long[at : at + 1] + (short[at : at + 1] if len(short) == len(long) else "")
    return rest == long[at + 1 :] and differing.isalpha()
