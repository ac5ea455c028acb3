"""Tags of the pages to sign in, and of a person's own account."""

from datetime import datetime
from ipaddress import ip_address

from django import template
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.template import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.safestring import SafeString, mark_safe

from portal.access.models import User
from portal.sign_in import second_factor

register = template.Library()


@register.simple_tag(takes_context=True)
def same_as(context: Context, block: str) -> SafeString:
    """Shows another block of this page again, such as its heading in its title."""
    rendered: str = context.render_context[BLOCK_CONTEXT_KEY].get_block(block).render(context)
    return mark_safe(rendered)  # noqa: S308 - a block's output is escaped already


@register.filter
def second_factor_due(user: User) -> datetime | None:
    """Returns the moment from which a user without a second factor will need one."""
    return second_factor.due_from(user)


@register.filter
def has_passkeys(request: HttpRequest) -> bool:
    """Returns whether a browser lets this site use passkeys: only one that it reaches by a name."""
    host, _port = split_domain_port(request.get_host())
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return True
    return False
