"""Titles of jobs in each language, whole and around a count of their rows."""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.utils import translation

WHAT = "\N{OBJECT REPLACEMENT CHARACTER}"  # where a stored phrase takes what is counted
_LONGEST = 200


@dataclass(frozen=True)
class JobTitle:
    """A title of what is done to several objects: `say` puts it around `what`, such as 2 people,
    and both are asked in each language."""

    say: Callable[[str], str]
    what: Callable[[], str]

    def __str__(self) -> str:
        return self.say(self.what())


def in_each_language(title: str | JobTitle) -> dict[str, dict[str, str]]:
    """Returns by language a title, which may be read late, and its phrase; empty if there is only
    one."""
    titles: dict[str, dict[str, str]] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            titles[language] = {"title": str(title)[:_LONGEST]}
            if isinstance(title, JobTitle):
                titles[language]["phrase"] = title.say(WHAT)
    return titles if len({str(each) for each in titles.values()}) > 1 else {}
