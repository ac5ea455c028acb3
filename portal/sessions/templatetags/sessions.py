"""Template tags of meetings and webinars."""

from typing import Any

from django import template
from django.urls import reverse

register = template.Library()


@register.simple_tag(takes_context=True)
def spec_url(context: dict[str, Any], name: str, *more: str) -> str:
    """The address of a page of the context's `spec`: `{% spec_url "list" %}`."""
    connection = context["request"].connection
    return reverse(f"{context['spec'].family}:{name}", args=[connection.key, *more])
