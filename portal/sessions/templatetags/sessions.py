"""What templates of both kinds say alike."""

from typing import Any

from django import template
from django.urls import reverse

register = template.Library()


@register.simple_tag(takes_context=True)
def kind_url(context: dict[str, Any], name: str, *more: str) -> str:
    """The address of a page of the context's `kind`: `{% kind_url "list" %}`."""
    connection = context["request"].connection
    return reverse(f"{context['kind'].family}:{name}", args=[connection.key, *more])
