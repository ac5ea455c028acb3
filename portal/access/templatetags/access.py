"""What the account pages need beside Django's own tags."""

from ipaddress import ip_address

from django import template
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.template import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag(takes_context=True)
def same_as(context: Context, block: str) -> SafeString:
    """What another block of this page says, such as its heading in its title."""
    rendered: str = context.render_context[BLOCK_CONTEXT_KEY].get_block(block).render(context)
    return mark_safe(rendered)  # noqa: S308 - a block's output is escaped already


@register.filter
def has_passkeys(request: HttpRequest) -> bool:
    """Whether a browser lets this site use passkeys: only one that it knows by a name."""
    host, _port = split_domain_port(request.get_host())
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return True
    return False
