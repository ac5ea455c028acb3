"""What the headings of a table mean, as people and other products write them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence


def normal(heading: str) -> str:
    """A heading without case, space, punctuation, and what stands in brackets."""
    text = re.sub(r"\[[^]]*\]|\([^)]*\)", "", unicodedata.normalize("NFKC", heading)).casefold()
    return re.sub(r"[\W_]+", "", text) or re.sub(r"[\W_]+", "", heading.casefold())


def meant(headings: Iterable[str], columns: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The name of the column that each heading means; empty where that is not known, or another
    heading means it more likely.

    `columns` has by its name the headings that mean a column, normal ones, the likeliest first.
    """
    by_heading = {each: name for name, known in columns.items() for each in known}
    plain = [normal(heading) for heading in headings]
    names = [by_heading.get(heading, "") for heading in plain]
    for name in filter(None, set(names)):
        order = columns[name]
        places = [place for place, each in enumerate(names) if each == name]
        best = min(places, key=lambda place: order.index(plain[place]))
        for place in places:
            if place != best:
                names[place] = ""
    return tuple(names)


def repeated(names: Iterable[str], titles: Mapping[str, str]) -> list[str]:
    """What is wrong where several columns of a table are said to be the same one."""
    return [
        f"Several columns are “{titles.get(name, name)}”. Choose the right one."
        for name, count in Counter(names).items()
        if name and count > 1
    ]
