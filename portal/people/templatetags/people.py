"""What pages about people say alike: a person's status, and who is meant by many."""

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString

from portal.people.services.group_changes import Wanted
from portal.people.words import status_pill
from portal.ui.states import pill

register = template.Library()
_NAMED = 10


@register.simple_tag
def person_status(status: str) -> SafeString:
    """A person's status with its icon and word; a single read does not tell it."""
    return status_pill(status) if status else pill("neutral", "Status unknown")


@register.filter
def names(people: Sequence[Wanted]) -> str:
    """Their names in a sentence; of many, the first and how many more there are."""
    shown = ", ".join(one.name for one in people[:_NAMED])
    more = len(people) - _NAMED
    return f"{shown} and {more:,} more" if more > 0 else shown
