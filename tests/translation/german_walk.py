"""A walk through all pages as a user reads them who has chosen German."""

import re
from collections import defaultdict
from typing import Any

from portal.translation import catalogues
from tests.support.walk import Walk
from tests.translation.outside import Reader

# What German has not, or hardly.
_ENGLISH = re.compile(
    r"(?<!-)\b(the|is|are|of|and|with|this|that|from|for|you|your|to|has|have|by)\b(?!-)",
    re.IGNORECASE,
)
_TYPED = "Legal hold"  # the reason that the walk gives where one is asked for


class GermanWalk(Walk):
    """Reads German: remembers the English words of the pages, and on which routes."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.english: dict[str, set[str]] = defaultdict(set)
        said = [
            (message.id, message.string)
            for room in catalogues.rooms()
            for message in catalogues.translations(room, "de")
            if isinstance(message.id, str)
        ]
        self._untranslated = {words for words, _ in said} - {german for _, german in said}

    def _noted(self, route: Any, answer: Any) -> Any:
        if "html" in answer.get("Content-Type", ""):
            reader = Reader()
            reader.feed(answer.getvalue().decode())
            for words in reader.found:
                is_english = words in self._untranslated or _ENGLISH.search(words)
                if is_english and _TYPED not in words:
                    self.english[words].add(route.name)
        return super()._noted(route, answer)
