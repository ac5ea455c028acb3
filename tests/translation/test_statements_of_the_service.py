"""Sentences that say what the service does not report stand in a list, with what they rest on."""

import re
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
SAYS_SO = re.compile(
    r"\b[Tt]he service (?:(?:does|did|has) not|cannot) (?:report|say|tell|list)"
    r"|\b[Tt]he service (?:lists|reports|says) (?:no|nothing)\b"
)
ROW = re.compile(r"\| (?P<sentence>.+) \| (?:Answer|Document)(?:\W.*)? \|")


def test_sentences_about_what_is_not_reported_are_listed():
    said = set()
    for path in (ROOT / "portal").glob("*/locale/de/LC_MESSAGES/django.po"):
        with path.open("rb") as file:
            for message in read_po(file):
                forms = message.id if isinstance(message.id, tuple) else (message.id,)
                said |= {one for one in forms if SAYS_SO.search(one)}
    lines = (ROOT / "docs" / "service-statements.md").read_text().splitlines()
    listed = {row["sentence"] for row in map(ROW.fullmatch, lines) if row}
    assert said == listed
