"""The condition of a search in columns by `folded`."""

from functools import reduce
from operator import and_, or_

from django.db.models import Q

from portal.translation import spellings


def contains_words(field: str, text: str) -> Q:
    """Returns the condition that a column by `folded` contains each word of a search, in one of its
    spellings."""
    words = (
        reduce(or_, (Q(**{f"{field}__contains": form}) for form in forms))
        for forms in spellings(text)
    )
    return reduce(and_, words, Q())
