"""Cells to values of the interface, as people and other products write them."""

import re

from portal.contract.users import LicenceType

# Names of products that a list of somebody's licences holds, and which of them are for nothing.
_PRODUCT = re.compile(
    r"zoom (one|workplace|meetings?|rooms?)\b|webex\b|cisco webex\b|microsoft (365|teams)\b"
    r"|office 365\b|google workspace\b|g suite\b",
    re.IGNORECASE,
)
_FREE = re.compile(r"\bfree\b|\bunlicensed\b|^(zoom|webex|cisco).*\bbasic\b", re.IGNORECASE)


def licence_of_products(text: str) -> LicenceType | None:
    """Returns the licence that matches those of other products, which exports list in one cell;
    None for other texts."""
    parts = [part.strip() for part in re.split(r"[+;\n]", text) if part.strip()]
    found = [
        LicenceType.BASIC if _FREE.search(part) else LicenceType.PRO
        for part in parts
        if _PRODUCT.match(part)
    ]
    return max(found, default=None)


def language(text: str) -> str:
    """A language tag; other products write `en_GB`."""
    return text.replace("_", "-") if re.fullmatch(r"[A-Za-z]{2,3}_[A-Za-z]{2,4}", text) else text


def digits(text: str, count: int = 0) -> str:
    """The digits of a text, filled with zeros to `count` of them."""
    found = re.sub(r"[\s-]", "", text)
    return found.zfill(count) if found.isascii() and found.isdigit() else found
