"""Tags of mails."""

from django import template

register = template.Library()


@register.filter
def is_address(line: str) -> bool:
    """Returns whether a line of a mail is nothing but the address of a page."""
    return line.startswith(("https://", "http://")) and " " not in line
