"""Tags that name the limits of a share."""

from django import template
from django.http import HttpRequest

from portal.access.models import Elevation, Share
from portal.access.scope import Scope
from portal.audit.wording import moment_in_words
from portal.connections.approval_rules import approves
from portal.connections.share_words import limits_in_words, sentence_of

register = template.Library()
register.filter(moment_in_words)


@register.simple_tag
def limits(request: HttpRequest) -> list[str]:
    """Returns the limits of the share of the page's connection, which explain its counts."""
    scope: Scope | None = getattr(request, "scope", None)
    return limits_in_words(scope.share) if scope and scope.share else []


@register.simple_tag
def elevation_here(request: HttpRequest) -> Elevation | None:
    """Returns the elevation that the page's user has over its connection now."""
    scope: Scope | None = getattr(request, "scope", None)
    return scope.elevation if scope else None


@register.simple_tag
def sees_shares(request: HttpRequest) -> bool:
    """Returns whether the page's user sees who else has access to its connection, and there are
    others."""
    scope: Scope | None = getattr(request, "scope", None)
    if scope is None or not (scope.is_owner or approves(scope)):
        return False
    return not scope.is_owner or scope.connection.shares.current().exists()


@register.filter
def in_a_sentence(share: Share) -> str:
    """Returns what the colleague may do, since when, until when, and who gave it."""
    return sentence_of(share)


@register.filter
def open_elevation(share: Share) -> Elevation | None:
    """Returns the elevation of a share that waits or is in force."""
    elevation: Elevation | None = getattr(share, "elevation", None)
    return None if elevation is None or elevation.is_over else elevation


@register.filter
def share_limits(share: Share) -> list[str]:
    return limits_in_words(share)
