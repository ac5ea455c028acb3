"""Filters of the chat archive's lists, kept in the URL."""

from django import forms

from portal.ui.forms.widgets import Search
from portal.ui.ranges import RangeFilter

ONE_TO_ONE, GROUP = "1:1", "group"
EDITED, DELETED = "edit", "delete"


class ConversationFilter(RangeFilter):
    """The filter bar of chat sessions."""

    sorts = ("last", "name", "type")

    q = forms.CharField(
        label="Search sessions", required=False, max_length=200, widget=Search("Search sessions")
    )
    type = forms.ChoiceField(
        label="Type",
        required=False,
        choices=[("", "Any type"), (ONE_TO_ONE, "One-to-one"), (GROUP, "Group")],
    )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "-last"


class MessageFilter(RangeFilter):
    """The filter bar of messages."""

    sorts = ("sent", "sender", "session")

    q = forms.CharField(
        label="Search messages", required=False, max_length=200, widget=Search("Search messages")
    )
    person = forms.CharField(
        label="Sender",
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"placeholder": "Name or email", "autocomplete": "off"}),
    )
    change = forms.ChoiceField(
        label="Changes",
        required=False,
        choices=[
            ("", "Any message"),
            (EDITED, "Edited"),
            (DELETED, "Deleted"),
        ],
    )

    @property
    def order(self) -> str:
        return self.cleaned_data.get("sort") or "sent"
