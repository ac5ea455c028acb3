"""The icons come from one cached file, which holds those that are used and no other."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from portal.config.environment import BASE_DIR
from portal.ui.html import icon, listed

_SOURCES = [
    *Path(BASE_DIR, "templates").rglob("*.html"),
    *Path(BASE_DIR, "portal").rglob("*.py"),
]


def test_icon_file_holds_exactly_the_listed_icons():
    drawn = ElementTree.parse(Path(BASE_DIR, "static", "build", "icons.svg")).getroot()  # noqa: S314

    assert {symbol.get("id") for symbol in drawn} == listed()


def test_each_listed_icon_is_named_in_the_code():
    words = {
        word
        for path in _SOURCES
        for word in re.findall(r"[\"']([a-z0-9-]+)[\"']", path.read_text())
    }

    assert listed() - words == set()


def test_each_icon_that_the_code_names_is_listed():
    named = r'\bicon(?:_name)?(?: |=| = |\()"([a-z0-9-]+)"'
    words = {word for path in _SOURCES for word in re.findall(named, path.read_text())}

    assert words - listed() == set()


def test_icon_that_is_not_listed_is_refused():
    with pytest.raises(KeyError):
        icon("no-such-icon")
