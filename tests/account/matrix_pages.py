"""The page that compares settings, as tests read it."""

import re
from urllib.parse import parse_qs, urlsplit

from django.test import Client

from tests.support.dashboard_pages import words_of


def page(client: Client, url: str) -> str:
    answered = client.get(url)
    assert answered.status_code == 200, words_of(answered.content)
    return answered.content.decode()


def rows(html: str) -> dict[str, str]:
    """The rows that are shown, in words, by the names of their settings."""
    found = re.findall(r'<tr data-field="([^"]+)"([^>]*)>(.*?)</tr>', html, re.DOTALL)
    return {name: words_of(inner.encode()) for name, more, inner in found if "hidden" not in more}


def subjects(url: str) -> list[str]:
    return parse_qs(urlsplit(url).query).get("subject", [])
