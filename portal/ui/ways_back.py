"""Words of a page that say, before something is done, how it can be undone."""

from collections.abc import Sequence

from django import forms

from portal.audit.undo.recorded import SECRET
from portal.contract.inverse import NoWayBack, Recreates, Restores
from portal.contract.model import fields, is_sensitive
from portal.translation import gettext as _


def way_back_of(operation: object) -> str:
    """Returns a warning if the operation has no way back, or an odd one; else empty."""
    match getattr(operation, "inverse", None):
        case NoWayBack(words=words):
            return " ".join((_("This cannot be undone."), _(words)))
        case Recreates(words=words):
            return " ".join((_("This can be undone from the audit trail."), _(words)))
        case _:
            return ""


def without_secrets(operation: object, form: forms.BaseForm) -> str:
    """Returns which fields of the form an undo does not bring back; empty if it does all."""
    body = getattr(operation, "body", None)
    if not isinstance(getattr(operation, "inverse", None), Restores) or body is None:
        return ""
    infos = dict(fields(body))
    shown = [name for name in form.fields if name in infos]
    secrets = [name for name in shown if is_sensitive(infos[name])]
    if secrets and secrets == shown:
        return " ".join((_("This cannot be undone."), str(SECRET)))
    return not_brought_back([str(form.fields[name].label) for name in secrets])


def not_brought_back(titles: Sequence[str]) -> str:
    """Returns the sentence about secrets with these titles; empty if there are none."""
    words = _("Undo does not bring back: %(fields)s. Secrets are not recorded.")
    return words % {"fields": ", ".join(titles)} if titles else ""
