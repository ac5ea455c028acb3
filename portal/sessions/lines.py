"""People as they stand in a line of an email or of a sheet: a name and an address."""

import re

_ANGLE = re.compile(r"^(?P<name>.*?)<(?P<email>[^<>]*)>[\s,;]*$")


def name_and_email(line: str) -> tuple[str, str]:
    """Both parts of a line, either of which may be empty.

    The address stands in angle brackets, or is the part with an `@`; parts end at a comma, a
    semicolon, a tab or several spaces, or else at each space.
    """
    if found := _ANGLE.match(line):
        return _clean(found["name"].rstrip(" ,;\t")), found["email"].strip()
    parts = [part for part in re.split(r"[\t;,]|\s{2,}", line) if part.strip()]
    if len(parts) == 1:
        parts = line.split()
    email = next((part for part in parts if "@" in part), parts[-1] if len(parts) == 1 else "")
    return _clean(" ".join(part for part in parts if part is not email)), email.strip()


def _clean(name: str) -> str:
    return " ".join(name.replace('"', " ").split())
