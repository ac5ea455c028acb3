"""Reasons why a change of an account has lapsed, stored in English and shown in any language."""

from django.utils.translation import gettext_noop

from portal.translation import stored

MAY_NOT = gettext_noop("By then %(person)s could no longer change this account.")
SO_ALREADY = gettext_noop("By then it was so already.")
BY_THE_MACHINE = gettext_noop("Whoever runs Switchboard did it.")
ANSWERS = (MAY_NOT, SO_ALREADY, BY_THE_MACHINE)


def shown(answer: str) -> str:
    """Returns the reason in the reader's language."""
    return stored.shown(answer, ANSWERS)
