"""Fields by what a person reads beside them."""

import re

from playwright.sync_api import Locator, Page


def field(scope: Page | Locator, label: str) -> Locator:
    """The field with exactly this label, whether or not it is marked as required or optional."""
    return scope.get_by_label(re.compile(rf"^\s*{re.escape(label)}\s*((Required|Optional)\s*)?$"))
