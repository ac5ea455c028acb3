"""Query and result parts of paged lists (spec 2.2 and 2.3)."""

from pydantic import Field, model_validator

from portal.contract.model import Model, unset
from portal.contract.problems import BrokenRule
from portal.contract.reading import Count
from portal.contract.times import CalendarDate
from portal.contract.words import gettext


class NumberedQuery(Model):
    page_size: int = Field(
        30,
        ge=1,
        le=300,
        title="Page size",
        description="Records per call, at most 300.",
    )
    page_number: int = Field(1, ge=1, title="Page", description="Which page of the records.")


class TokenQuery(Model):
    page_size: int = Field(
        30,
        ge=1,
        le=300,
        title="Page size",
        description="Records per call, at most 300.",
    )
    next_page_token: str | None = unset(
        "Next page token", "Continues a result; valid for 15 minutes."
    )


class QualityTokenQuery(TokenQuery):
    """Samples of quality of service are large, so their pages are small."""

    page_size: int = Field(
        1, ge=1, le=10, title="Page size", description="Records per call, at most 10."
    )


class Days(Model):
    """A range of days, both of them included."""

    from_: CalendarDate = Field(alias="from", title="From", description="The first day.")
    to: CalendarDate = Field(title="To", description="The last day.")

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> "Days":
        if self.to < self.from_:
            raise BrokenRule("to", gettext("The last day is before the first."))
        return self


class NumberedDaysQuery(NumberedQuery, Days):
    """Pages, by number, of what happened on some days."""


class TokenDaysQuery(TokenQuery, Days):
    """Pages, by token, of what happened on some days."""


class NumberedPage(Model):
    page_count: Count = Field(None, title="Items on this page")
    page_number: int = Field(1, title="Page")
    page_size: int = Field(30, title="Page size")
    total_records: Count = Field(None, title="Records in all")


class TokenPage(Model):
    next_page_token: str = Field("", title="Next page token")
    page_count: Count = Field(None, title="Items on this page")
    page_size: int = Field(30, title="Page size")
    total_records: Count = Field(None, title="Records in all")


class QualityPage(TokenPage):
    page_size: int = Field(1, title="Page size")


class ChatPage(Model):
    """Pages of the chat archive have neither counts nor totals."""

    next_page_token: str = Field("", title="Next page token")
    page_size: int = Field(30, title="Page size")


class ReportedDays(Model):
    """The days that a result covers, as the service reports them."""

    from_: CalendarDate | None = Field(None, alias="from", title="From")
    to: CalendarDate | None = Field(None, title="To")
