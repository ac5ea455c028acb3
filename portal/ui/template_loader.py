"""Templates as pages need them: without the indentation that only their source has."""

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """Loads a page's template with each line begun at its first sign; texts stay as they are.

    Ends of lines stay too: they are the spaces between words and what stands beside them.
    """

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        return _INDENTATION.sub("", contents) if origin.name.endswith(".html") else contents
