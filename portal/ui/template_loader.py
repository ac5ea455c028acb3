"""Templates as pages need them: without what only their source has."""

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
# The end of a line of tags alone: what stands before it ends with a line already.
_AFTER_TAGS = re.compile(r"^((?:{%[^\n]+?%})+)\n", re.MULTILINE)


class Loader(filesystem.Loader):
    """Loads a page's template without its indentation and lines of tags; texts stay as they are."""

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        if not origin.name.endswith(".html"):
            return contents
        return _AFTER_TAGS.sub(r"\1", _INDENTATION.sub("", contents))
