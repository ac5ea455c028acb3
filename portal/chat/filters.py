"""Filters of the chat archive's lists, kept in the URL."""

from django import forms

from portal.translation import gettext_lazy
from portal.ui.forms.widgets import SearchInput
from portal.ui.ranges import RangeFilter

ONE_TO_ONE, GROUP = "1:1", "group"
EDITED, DELETED = "edit", "delete"


class ConversationFilter(RangeFilter):
    """The filter bar of chat sessions."""

    sorts = ("last", "name", "type")

    q = forms.CharField(
        label=gettext_lazy("Search sessions"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search sessions")),
    )
    type = forms.ChoiceField(
        label=gettext_lazy("Type"),
        required=False,
        choices=[
            ("", gettext_lazy("Any type")),
            (ONE_TO_ONE, gettext_lazy("One-to-one")),
            (GROUP, gettext_lazy("Group")),
        ],
    )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "-last"


class MessageFilter(RangeFilter):
    """The filter bar of messages."""

    sorts = ("sent", "sender", "session")

    q = forms.CharField(
        label=gettext_lazy("Search messages"),
        required=False,
        max_length=200,
        widget=SearchInput(gettext_lazy("Search messages")),
    )
    person = forms.CharField(
        label=gettext_lazy("Sender"),
        required=False,
        max_length=200,
        widget=forms.TextInput(
            attrs={"placeholder": gettext_lazy("Name or email"), "autocomplete": "off"}
        ),
    )
    change = forms.ChoiceField(
        label=gettext_lazy("Changes"),
        required=False,
        choices=[
            ("", gettext_lazy("Any message")),
            (EDITED, gettext_lazy("Edited")),
            (DELETED, gettext_lazy("Deleted")),
        ],
    )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "sent"
