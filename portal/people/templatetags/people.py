"""Template tags of people: a person's status."""

from django import template
from django.utils.safestring import SafeString

from portal.people.labels import language_in_words, status_pill
from portal.translation import gettext as _
from portal.ui.states import pill

register = template.Library()
register.filter("language_name", language_in_words)


@register.simple_tag
def person_status(status: str) -> SafeString:
    """Returns a person's status with its icon and word; a single read does not report it."""
    return status_pill(status) if status else pill("neutral", _("Status unknown"))
