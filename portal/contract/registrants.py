"""Those who register for meetings and webinars (spec 2.7, 2.9, 4.5 and 4.6)."""

from pydantic import Field

from portal.contract.choices import TextChoice
from portal.contract.inverse import NoWayBack
from portal.contract.methods import GET, POST, PUT
from portal.contract.model import Model, unset
from portal.contract.operation import Family, by_number
from portal.contract.paging import NumberedPage, NumberedQuery
from portal.contract.problems import PersonReference
from portal.contract.sessions import OccurrenceQuery
from portal.contract.times import Timestamp
from portal.contract.types import EmailAddress, OccurrenceIds
from portal.contract.words import pgettext_noop

_STAYS = "A registrant cannot be removed without a trace; the registration can be cancelled."
_DECIDED = "The service does not report what was decided before."


class NumberOfEmployees(TextChoice):
    UP_TO_20 = "1-20", "1 to 20"
    UP_TO_50 = "21-50", "21 to 50"
    UP_TO_100 = "51-100", "51 to 100"
    UP_TO_500 = "101-500", "101 to 500"
    UP_TO_1000 = "500-1,000", "501 to 1,000"
    UP_TO_5000 = "1,001-5,000", "1,001 to 5,000"
    UP_TO_10000 = "5,001-10,000", "5,001 to 10,000"
    MORE = "More than 10,000", "More than 10,000"


class PurchasingTimeFrame(TextChoice):
    ONE_MONTH = "Within a month", "Within a month"
    THREE_MONTHS = "1-3 months", "1 to 3 months"
    SIX_MONTHS = "4-6 months", "4 to 6 months"
    LATER = "More than 6 months", "More than 6 months"
    NONE = "No timeframe", "No time frame"  # untranslated: the former travels


class RoleInPurchase(TextChoice):
    DECISION_MAKER = "Decision Maker", "Decision maker"  # untranslated: the former travels
    EVALUATOR = "Evaluator/Recommender", "Evaluator or recommender"
    INFLUENCER = "Influencer", "Influencer"
    NOT_INVOLVED = "Not involved", "Not involved"


class RegistrantStatus(TextChoice):
    PENDING = "pending", "Pending"
    APPROVED = "approved", pgettext_noop("registration", "Approved")
    DENIED = "denied", "Denied"


class RegistrantAction(TextChoice):
    APPROVE = "approve", pgettext_noop("registration", "Approve"), "They get the join link."
    CANCEL = "cancel", pgettext_noop("registration", "Cancel"), "Their registration is cancelled."
    DENY = "deny", "Deny", "They cannot join."


class RecordingRegistrantAction(TextChoice):
    APPROVE = "approve", pgettext_noop("registration", "Approve"), "They can watch the recording."
    DENY = "deny", "Deny", "They cannot watch it."


class CustomAnswer(Model):
    title: str | None = unset("Question", "As the host asked it.")
    value: str | None = unset("Answer", "What was answered.")


class _Answers(Model):
    """Answers of registrants besides their name and email."""

    address: str | None = unset("Address", "Street and number.")
    city: str | None = unset("City", "Where they are.")
    state: str | None = unset("State or region", "Where they are.")
    zip: str | None = unset("Postcode", "Of their address.")
    country: str | None = unset("Country", "Where they are.")
    phone: str | None = unset("Telephone", "With the country code.")
    org: str | None = unset("Organisation", "Where they work.")
    job_title: str | None = unset("Job title", "What they do there.")
    industry: str | None = unset("Industry", "What the organisation does.")
    no_of_employees: NumberOfEmployees | None = unset(
        "Employees", "How many people work at the organisation."
    )
    purchasing_time_frame: PurchasingTimeFrame | None = unset(
        "Time frame for a purchase", "When the organisation intends to buy."
    )
    role_in_purchase_process: RoleInPurchase | None = unset(
        "Role in the purchase", "What they have to do with it."
    )
    comments: str | None = unset("Questions and comments", "What they want the host to know.")
    custom_questions: list[CustomAnswer] | None = unset(
        "Custom questions", "Answers to the custom questions of the host."
    )


class Registrant(_Answers):
    """A person to register."""

    email: EmailAddress = Field(title="Email", description="Where the join link is sent.")
    first_name: str = Field(min_length=1, title="First name", description="As they use it.")
    last_name: str = Field(min_length=1, title="Last name", description="As they use it.")


class RecordingRegistrant(_Answers):
    """A person who asked to watch a recording; no operation returns them yet."""

    id: str = Field(title="Registrant ID")
    email: str = Field("", title="Email")
    first_name: str = Field("", title="First name")
    last_name: str = Field("", title="Last name")


class RegistrantDetails(RecordingRegistrant):
    """A registrant as lists contain them."""

    status: str = Field("", title="Status")
    create_time: Timestamp | None = Field(None, title="Registered")
    join_url: str = Field("", title="Join link")


class RegistrantPage(NumberedPage):
    registrants: list[RegistrantDetails] = Field(title="Registrants")


class RecordingRegistrantPage(NumberedPage):
    registrants: list[RecordingRegistrant] = Field(title="Registrants")


class RegistrantsQuery(NumberedQuery, OccurrenceQuery):
    status: RegistrantStatus = Field(
        RegistrantStatus.APPROVED, title="Status", description="Which registrants to list."
    )


class NewRegistrantQuery(Model):
    occurrence_ids: OccurrenceIds | None = unset(
        "Occurrences", "Those to register for, separated by commas; all of them unless said."
    )


class AddedRegistrant(Model):
    registrant_id: str = Field("", title="Registrant ID")
    id: str | int = Field("", title="Number", description="Of the meeting or webinar.")
    topic: str = Field("", title="Topic")
    start_time: Timestamp | None = Field(None, title="Start")
    join_url: str = Field("", title="Join link")


class RegistrantStatusChange(Model):
    """A decision about some registrants (spec: RegistrantStatus)."""

    action: RegistrantAction = Field(title="Action", description="What becomes of them.")
    registrants: list[PersonReference] | None = unset(
        "Registrants", "At most 30 at a time.", max_length=30
    )


class RecordingRegistrantReference(Model):
    id: str | None = unset("Registrant ID", "Whose request it is.")


class RecordingRegistrantStatusChange(Model):
    """A change for those who asked to watch a recording; no operation takes it yet."""

    action: RecordingRegistrantAction = Field(title="Action", description="What becomes of them.")
    registrants: list[RecordingRegistrantReference] | None = unset(
        "Registrants", "At most 30 at a time.", max_length=30
    )


class MeetingRegistrants(Family, name="meeting_registrants"):
    """Those who register for meetings."""

    list = GET(
        "/meetings/{meetingId}/registrants",
        "List a meeting's registrants",
        query=RegistrantsQuery,
        returns=RegistrantPage,
        pages=by_number("registrants", RegistrantDetails),
    )
    add = POST(
        "/meetings/{meetingId}/registrants",
        "Add a meeting registrant",
        query=NewRegistrantQuery,
        body=Registrant,
        returns=AddedRegistrant,
        inverse=NoWayBack(_STAYS),
    )
    change_status = PUT(
        "/meetings/{meetingId}/registrants/status",
        "Approve or deny a meeting's registrants",
        query=OccurrenceQuery,
        body=RegistrantStatusChange,
        inverse=NoWayBack(_DECIDED),
    )


class WebinarRegistrants(Family, name="webinar_registrants"):
    """Those who register for webinars."""

    list = GET(
        "/webinars/{webinarId}/registrants",
        "List a webinar's registrants",
        query=RegistrantsQuery,
        returns=RegistrantPage,
        pages=by_number("registrants", RegistrantDetails),
    )
    add = POST(
        "/webinars/{webinarId}/registrants",
        "Add a webinar registrant",
        query=NewRegistrantQuery,
        body=Registrant,
        returns=AddedRegistrant,
        inverse=NoWayBack(_STAYS),
    )
    change_status = PUT(
        "/webinars/{webinarId}/registrants/status",
        "Approve or deny a webinar's registrants",
        query=OccurrenceQuery,
        body=RegistrantStatusChange,
        inverse=NoWayBack(_DECIDED),
    )
