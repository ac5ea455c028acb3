"""Template tags about what can be begun."""

from django import template

from portal.access.scope import Scope
from portal.mirror.search import Hit, offered

register = template.Library()


@register.simple_tag
def shortcuts(scope: Scope) -> list[Hit]:
    """Returns the pages where the scope allows to begin something."""
    return [Hit(one.title, one.url(scope.connection), one.icon) for one in offered(scope)]
