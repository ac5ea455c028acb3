"""A write of each operation that declares an inverse, with what the service reports of its object.

What differs although all was put back is left out of the reports, and named in `_VOLATILE`.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from portal.audit.undo.members import nested
from portal.client import Api, NotFound
from portal.contract.account_settings import AccountSecurity, AccountSettings
from portal.contract.accounts import AccountOptions, PayMode
from portal.contract.billing import (
    AccountPlanBaseRequired,
    AccountPlanRequired,
    AccountSubscription,
    BillingContact,
    BillingContactRequired,
)
from portal.contract.delegates import Delegate, DelegateList
from portal.contract.devices import Device, DeviceEncryption, DeviceProtocol
from portal.contract.groups import (
    GroupUpdate,
    ImGroupType,
    ImGroupUpdate,
    NewGroup,
    NewImGroup,
    NewImMembers,
    NewMembers,
)
from portal.contract.meetings import (
    LiveStreamAction,
    MeetingLiveStream,
    MeetingLiveStreamStatus,
    MeetingType,
    MeetingUpdate,
    NewMeeting,
)
from portal.contract.model import Model
from portal.contract.polls import Poll, PollQuestion, QuestionType
from portal.contract.problems import PersonReference
from portal.contract.recordings import RecordingSettings
from portal.contract.telephony import AccountTspUpdate, DialInNumber, TspAccount
from portal.contract.tracking_fields import NewTrackingField, TrackingField, TrackingFieldDetails
from portal.contract.user_settings import InMeeting, UserSettingsUpdate
from portal.contract.users import (
    EmailChange,
    LicenceType,
    StatusAction,
    StatusChange,
    UserStatus,
    UserUpdate,
)
from portal.contract.webhooks import (
    Webhook,
    WebhookEvent,
    WebhookOptions,
    WebhookUpdate,
    WebhookVersion,
)
from portal.contract.webinars import (
    NewPanelists,
    NewWebinar,
    Panelist,
    WebinarUpdate,
)
from tests.support.scenarios.account import _account as sub_account
from tests.support.scenarios.people import person, statuses
from tests.support.scenarios.sessions import (
    RECOVER,
    START,
    TO_THE_TRASH,
    recording,
)

# What is recreated has another id, and links that hold it.
_VOLATILE = frozenset({"id", "join_url", "created_at", "deleted_time"})

Draw = Callable[[st.SearchStrategy[Any]], Any]
Read = Callable[[], Any]


@dataclass
class Case:
    """`write` is what is undone; `read` reports the object, without what is volatile."""

    write: Callable[[], Any]
    read: Read


CASES: dict[str, Callable[[Api, Draw], Case]] = {}
WORDS = st.text("abcdefghij ÄÖ'", min_size=1, max_size=20).map(str.strip).filter(bool)


def of(*names: str) -> Callable[[Callable[..., Case]], Callable[..., Case]]:
    def register(case: Callable[..., Case]) -> Callable[..., Case]:
        CASES.update(dict.fromkeys(names, case))
        return case

    return register


def report(model: Model | list[Any]) -> Any:
    """Returns the service's report, in the order that does not matter."""
    if isinstance(model, list):
        return sorted((report(one) for one in model), key=str)
    return _plain(model.model_dump(mode="json"))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items() if name not in _VOLATILE}
    if isinstance(value, list):
        return sorted((_plain(one) for one in value), key=str)
    return value


def _gone(read: Callable[[], Any]) -> Any:
    try:
        return read()
    except NotFound:
        return "gone"


def _some(draw: Draw, model: type[Model], **choices: st.SearchStrategy[Any]) -> Any:
    """A change of some of these fields, by their dotted names with two underscores."""
    names = draw(st.lists(st.sampled_from(sorted(choices)), min_size=1, unique=True))
    values = {name.replace("__", "."): draw(choices[name]) for name in names}
    return model.model_validate(nested(values))


def _named(what: str) -> str:
    return f"{what} {uuid.uuid4().hex}"


@of("users.update")
def _profile(api: Api, draw: Draw) -> Case:
    ann = person(api)
    api.users.update(ann.id, UserUpdate(dept="Sales", vanity_name=f"r{uuid.uuid4().hex[:12]}"))
    change = _some(
        draw,
        UserUpdate,
        dept=WORDS,
        first_name=WORDS,
        last_name=WORDS,
        type=st.sampled_from([one for one in LicenceType if one in (1, 2)]),
        timezone=st.sampled_from(["Europe/Berlin", "America/Denver"]),
        use_pmi=st.booleans(),
        vanity_name=st.just(f"r{uuid.uuid4().hex[:12]}"),
        cms_user_id=WORDS,
    )
    return Case(lambda: api.users.update(ann.id, change), lambda: report(api.users.get(ann.id)))


@of("users.update_settings")
def _settings(api: Api, draw: Draw) -> Case:
    ann = person(api)
    change = UserSettingsUpdate(
        in_meeting=_some(
            draw,
            InMeeting,
            chat=st.booleans(),
            annotation=st.booleans(),
            breakout_room=st.booleans(),
        )
    )
    return Case(
        lambda: api.users.update_settings(ann.id, change),
        lambda: report(api.users.settings(ann.id)),
    )


@of("users.create")
def _creation(api: Api, draw: Draw) -> Case:
    made: list[str] = []
    return Case(
        lambda: made.append(person(api).id),
        lambda: _gone(lambda: report(api.users.get(made[0]))) if made else "gone",
    )


@of("users.change_email")
def _email(api: Api, draw: Draw) -> Case:
    ann = person(api)
    new = EmailChange(email=f"{uuid.uuid4().hex}@elm.example")
    return Case(lambda: api.users.change_email(ann.id, new), lambda: report(api.users.get(ann.id)))


@of("users.change_status")
def _status(api: Api, draw: Draw) -> Case:
    ann = person(api)
    action = draw(st.sampled_from(StatusAction))
    if action is StatusAction.ACTIVATE:
        api.users.change_status(ann.id, StatusChange(action=StatusAction.DEACTIVATE))
    change = StatusChange(action=action)
    return Case(
        lambda: api.users.change_status(ann.id, change),
        lambda: [UserStatus(one).value for one in statuses(api, ann.id)],
    )


@of("groups.create", "im_groups.create")
def _group_creation(api: Api, draw: Draw, family: str = "groups") -> Case:
    name = _named("Desk")
    new = NewGroup(name=name) if family == "groups" else NewImGroup(name=name)
    calls = getattr(api, family)
    return Case(
        lambda: calls.create(new),
        lambda: [one.name for one in calls.list().groups if one.name == name],
    )


@of("groups.update", "im_groups.update")
def _group_change(api: Api, draw: Draw, family: str = "groups") -> Case:
    calls = getattr(api, family)
    if family == "groups":
        group = calls.create(NewGroup(name=_named("Desk")))
        change: Model = GroupUpdate(name=_named("Floor"))
    else:
        group = calls.create(NewImGroup(name=_named("Desk"), search_by_account=True))
        change = _some(
            draw,
            ImGroupUpdate,
            name=st.just(_named("Floor")),
            type=st.sampled_from(ImGroupType),
            search_by_account=st.booleans(),
        )
    return Case(lambda: calls.update(group.id, change), lambda: report(calls.get(group.id)))


@of(
    "groups.add_members",
    "im_groups.add_members",
    "groups.remove_member",
    "im_groups.remove_member",
)
def _members(api: Api, draw: Draw, family: str = "groups", what: str = "add") -> Case:
    calls = getattr(api, family)
    new, body = (NewGroup, NewMembers) if family == "groups" else (NewImGroup, NewImMembers)
    group = calls.create(new(name=_named("Desk")))
    people = [person(api) for _ in range(draw(st.integers(1, 3)))]
    first = body(members=[PersonReference(id=person(api).id)])
    calls.add_members(group.id, first)
    named = body(
        members=[
            PersonReference(id=one.id) if draw(st.booleans()) else PersonReference(email=one.email)
            for one in people
        ]
    )
    read = lambda: sorted(one.email for one in calls.members.all(group.id))  # noqa: E731
    if what == "add":
        return Case(lambda: calls.add_members(group.id, named), read)
    calls.add_members(group.id, named)
    return Case(lambda: calls.remove_member(group.id, people[0].id), read)


@of("assistants.add", "assistants.remove", "assistants.remove_all")
def _assistants(api: Api, draw: Draw, what: str = "add") -> Case:
    ann, ben, cat, dan = (person(api) for _ in range(4))
    there = [Delegate(id=one.id) for one in (ben, cat)]
    some = [Delegate(email=cat.email), Delegate(id=dan.id)]
    api.assistants.add(ann.id, DelegateList(assistants=there[: draw(st.integers(1, 2))]))
    writes = {
        "add": lambda: api.assistants.add(ann.id, DelegateList(assistants=some)),
        "remove": lambda: api.assistants.remove(ann.id, ben.id),
        "remove_all": lambda: api.assistants.remove_all(ann.id),
    }
    read = lambda: sorted(str(one.id) for one in api.assistants.list(ann.id).assistants)  # noqa: E731
    return Case(writes[what], read)


@of("schedulers.remove", "schedulers.remove_all")
def _schedulers(api: Api, draw: Draw, what: str = "remove") -> Case:
    ann, *others = (person(api) for _ in range(1 + draw(st.integers(1, 2))))
    for one in others:
        api.assistants.add(one.id, DelegateList(assistants=[Delegate(id=ann.id)]))
    writes = {
        "remove": lambda: api.schedulers.remove(ann.id, others[0].id),
        "remove_all": lambda: api.schedulers.remove_all(ann.id),
    }
    read = lambda: sorted(str(one.id) for one in api.schedulers.list(ann.id).assistants)  # noqa: E731
    return Case(writes[what], read)


# A setting that has no value cannot be given back that it has none.
_PLAN = {"start_time": START, "timezone": "Europe/Berlin", "settings": {"host_video": True}}


def _once(api: Api, **more: Any) -> Any:
    plan = {**_PLAN, "topic": "Stand-up"}
    new = NewMeeting.model_validate({**plan, "type": MeetingType.SCHEDULED, **more})
    return api.meetings.create(person(api).id, new)


@of("meetings.create", "webinars.create")
def _session_creation(api: Api, draw: Draw, family: str = "meetings") -> Case:
    host, calls = person(api), getattr(api, family)
    new = (NewMeeting if family == "meetings" else NewWebinar)(topic=draw(WORDS))
    made: list[Any] = []
    return Case(
        lambda: made.append(calls.create(host.id, new)),
        lambda: _gone(lambda: report(calls.get(made[0].id))) if made else "gone",
    )


@of("meetings.update", "webinars.update")
def _session_change(api: Api, draw: Draw, family: str = "meetings") -> Case:
    calls = getattr(api, family)
    body: type[Model] = MeetingUpdate
    if family == "meetings":
        made = _once(api)
    else:
        body = WebinarUpdate
        plan = {**_PLAN, "topic": "Tour"}
        made = calls.create(person(api).id, NewWebinar.model_validate(plan))
    change = _some(
        draw,
        body,
        topic=WORDS,
        agenda=WORDS,
        duration=st.integers(1, 300),
        start_time=st.sampled_from(["2038-05-01T10:00:00", "2038-05-01T10:00:00Z"]),
        timezone=st.sampled_from(["America/Denver", "Europe/Berlin"]),
        settings__host_video=st.booleans(),
        settings__audio=st.sampled_from(["both", "voip"]),
    )
    return Case(lambda: calls.update(made.id, change), lambda: report(calls.get(made.id)))


@of("meetings.change_livestream_status")
def _stream(api: Api, draw: Draw) -> Case:
    made = _once(api)
    where = MeetingLiveStream(
        stream_url="rtmp://live.example/a", stream_key="k", page_url="https://live.example/w"
    )
    api.meetings.update_livestream(made.id, where)
    action = draw(st.sampled_from(LiveStreamAction))
    if action is LiveStreamAction.STOP:
        start = MeetingLiveStreamStatus(action=LiveStreamAction.START)
        api.meetings.change_livestream_status(made.id, start)
    change = MeetingLiveStreamStatus(action=action)
    return Case(
        lambda: api.meetings.change_livestream_status(made.id, change),
        lambda: report(api.meetings.invitation(made.id)),
    )


_LUNCH = Poll(
    title="Lunch",
    questions=[PollQuestion(name="When?", type=QuestionType.SINGLE, answers=["Noon", "One"])],
)


@of(
    *(f"{kind}_polls.{what}" for kind in ("meeting", "webinar") for what in ("create", "update")),
    "meeting_polls.delete",
    "webinar_polls.delete",
)
def _polls(api: Api, draw: Draw, family: str = "meeting_polls", what: str = "create") -> Case:
    calls = getattr(api, family)
    if family == "meeting_polls":
        made = _once(api)
    else:
        made = api.webinars.create(person(api).id, NewWebinar(topic="Tour"))
    poll = calls.create(made.id, _LUNCH)
    change = _some(draw, Poll, title=WORDS, questions=st.just(_LUNCH.questions[:0]))  # type: ignore[index]
    writes = {
        "create": lambda: calls.create(made.id, Poll(title=draw(WORDS))),
        "update": lambda: calls.update(made.id, poll.id, change),
        "delete": lambda: calls.delete(made.id, poll.id),
    }
    return Case(writes[what], lambda: report(calls.list(made.id)))


@of("panelists.add", "panelists.remove", "panelists.remove_all")
def _panelists(api: Api, draw: Draw, what: str = "add") -> Case:
    made = api.webinars.create(person(api).id, NewWebinar(topic="Tour"))
    ann, ben = (Panelist(email=f"{name}@mail.example", name=draw(WORDS)) for name in ("ann", "ben"))
    api.panelists.add(made.id, NewPanelists(panelists=[ann]))
    listed = api.panelists.list(made.id).panelists
    writes = {
        "add": lambda: api.panelists.add(made.id, NewPanelists(panelists=[ben])),
        "remove": lambda: api.panelists.remove(made.id, int(listed[0].id)),
        "remove_all": lambda: api.panelists.remove_all(made.id),
    }
    return Case(writes[what], lambda: report(api.panelists.list(made.id)))


@of("tsp_accounts.create", "tsp_accounts.update")
def _tsp(api: Api, draw: Draw, what: str = "create") -> Case:
    ann = person(api)
    first = TspAccount(conference_code="12", leader_pin="34")
    there = api.tsp_accounts.create(ann.id, first)
    change = TspAccount(
        conference_code=draw(st.from_regex("[0-9]{1,10}", fullmatch=True)),
        leader_pin="34",
        dial_in_numbers=[DialInNumber(number="030 1")],
    )
    writes = {
        "create": lambda: api.tsp_accounts.create(ann.id, change),
        "update": lambda: api.tsp_accounts.update(ann.id, str(there.id), change),
    }
    return Case(writes[what], lambda: _without_none(report(api.tsp_accounts.list(ann.id))))


def _without_none(value: Any) -> Any:
    """No dial-in numbers are none, whether they were never there or were taken away."""
    if isinstance(value, dict):
        return {name: _without_none(one) for name, one in value.items() if one not in (None, [])}
    return [_without_none(one) for one in value] if isinstance(value, list) else value


@of("devices.create", "devices.update", "devices.delete")
def _devices(api: Api, draw: Draw, what: str = "create") -> Case:
    new = {
        "ip": st.sampled_from(["192.0.2.7", "192.0.2.8"]),
        "protocol": st.sampled_from(DeviceProtocol),
        "encryption": st.sampled_from(DeviceEncryption),
    }
    name, other = _named("Lobby"), _named("Hall")
    made = api.devices.create(Device(name=name, **{key: draw(one) for key, one in new.items()}))
    change = Device(
        name=draw(st.sampled_from([name, other])), **{k: draw(v) for k, v in new.items()}
    )
    writes = {
        "create": lambda: api.devices.create(change.model_copy(update={"name": other})),
        "update": lambda: api.devices.update(made.id, change),
        "delete": lambda: api.devices.delete(made.id),
    }
    names = {name, other}
    return Case(
        writes[what],
        lambda: report([one for one in api.devices.list().devices if one.name in names]),
    )


@of("tracking_fields.create", "tracking_fields.update", "tracking_fields.delete")
def _fields(api: Api, draw: Draw, what: str = "create") -> Case:
    name, other = _named("Desk"), _named("Cost")
    field = NewTrackingField(field=name, visible=True, recommended_values=["North"])
    made = api.tracking_fields.create(field)
    change = _some(
        draw,
        TrackingField,
        field=st.just(other),
        visible=st.booleans(),
        recommended_values=st.lists(WORDS, max_size=3),
    )
    writes = {
        "create": lambda: api.tracking_fields.create(NewTrackingField(field=other)),
        "update": lambda: api.tracking_fields.update(made.id, change),
        "delete": lambda: api.tracking_fields.delete(made.id),
    }

    def listed() -> list[TrackingFieldDetails]:
        return api.tracking_fields.list().tracking_fields

    return Case(writes[what], lambda: report([o for o in listed() if o.field in (name, other)]))


@of("webhooks.create", "webhooks.update")
def _webhooks(api: Api, draw: Draw, what: str = "create") -> Case:
    api.webhooks.choose_version(WebhookOptions(version=WebhookVersion.V2))
    url = f"http://127.0.0.1:9/{uuid.uuid4().hex}"
    hook = Webhook(
        url=url,
        auth_user="conf",
        auth_password="correct horse",
        events=[WebhookEvent.MEETING_STARTED],
    )
    made = api.webhooks.create(hook)
    change = _some(
        draw,
        WebhookUpdate,
        auth_user=WORDS,
        events=st.lists(st.sampled_from(WebhookEvent), min_size=1, unique=True),
    )
    writes = {
        "create": lambda: api.webhooks.create(hook),
        "update": lambda: api.webhooks.update(made.webhook_id, change),
    }
    return Case(
        writes[what],
        lambda: [report(one) for one in api.webhooks.list().webhooks if one.url == url],
    )


@of("telephony_provider.update")
def _provider(api: Api, draw: Draw) -> Case:
    api.telephony_provider.update(AccountTspUpdate(tsp_provider="Orbit Audio", enable=True))
    change = _some(draw, AccountTspUpdate, tsp_provider=WORDS, enable=st.booleans())
    return Case(
        lambda: api.telephony_provider.update(change), lambda: report(api.telephony_provider.get())
    )


@of("accounts.create")
def _account_creation(api: Api, draw: Draw) -> Case:
    made: list[str] = []
    return Case(
        lambda: made.append(sub_account(api).id),
        lambda: _gone(lambda: report(api.accounts.get(made[0]))) if made else "gone",
    )


@of("accounts.update_options")
def _options(api: Api, draw: Draw) -> Case:
    account = sub_account(api)
    change = _some(
        draw,
        AccountOptions,
        pay_mode=st.sampled_from(PayMode),
        share_mc=st.booleans(),
        meeting_connectors=st.sampled_from(["lobby", "lobby, hall"]),
    )

    def read() -> Any:
        options = report(api.accounts.get(account.id))["options"]
        return options | {"meeting_connectors": options["meeting_connectors"] or ""}

    return Case(lambda: api.accounts.update_options(account.id, change), read)


@of("accounts.update_settings")
def _account_settings(api: Api, draw: Draw) -> Case:
    account = sub_account(api)
    security = _some(
        draw,
        AccountSecurity,
        hide_billing_info=st.booleans(),
        admin_change_name_pic=st.booleans(),
    )
    return Case(
        lambda: api.accounts.update_settings(account.id, AccountSettings(security=security)),
        lambda: report(api.accounts.settings(account.id)),
    )


@of("billing.update_contact", "billing.update_plan", "billing.update_base_plan")
def _billing(api: Api, draw: Draw, what: str = "update_contact") -> Case:
    account = sub_account(api)
    words = dict.fromkeys(
        ("first_name", "last_name", "phone_number", "address", "city", "state", "zip", "country"),
        "Words",
    )
    contact = BillingContactRequired(email="billing@alder.example", **words)
    base = AccountPlanBaseRequired(type="Pro", hosts=3)
    api.billing.subscribe(account.id, AccountSubscription(contact=contact, plan_base=base))
    api.billing.add_plan(account.id, AccountPlanRequired(type="webinar500", hosts=1))
    other = AccountPlanBaseRequired(type="Business", hosts=draw(st.integers(10, 49)))
    hosts = AccountPlanRequired(type="webinar500", hosts=draw(st.integers(0, 9)))
    writes = {
        "update_contact": lambda: api.billing.update_contact(
            account.id, _some(draw, BillingContact, city=WORDS, zip=WORDS)
        ),
        "update_plan": lambda: api.billing.update_plan(account.id, hosts),
        "update_base_plan": lambda: api.billing.update_base_plan(account.id, other),
    }
    read = lambda: [report(api.billing.contact(account.id)), report(api.billing.plans(account.id))]  # noqa: E731
    return Case(writes[what], read)


@of("recordings.delete", "recordings.recover", "recordings.delete_file", "recordings.recover_file")
def _recordings(api: Api, draw: Draw, what: str = "delete") -> Case:
    recorded = recording(api)
    key, first = recorded.uuid, recorded.recording_files[0].id
    if what == "recover":
        whole = draw(st.booleans())
        files = recorded.recording_files if whole else recorded.recording_files[:1]
        for one in files:
            api.recordings.delete_file(key, one.id, TO_THE_TRASH)
    if what == "recover_file" or (what == "delete" and draw(st.booleans())):
        api.recordings.delete_file(key, first, TO_THE_TRASH)
    writes = {
        "delete": lambda: api.recordings.delete(key, TO_THE_TRASH),
        "recover": lambda: api.recordings.recover(key, RECOVER),
        "delete_file": lambda: api.recordings.delete_file(
            key, recorded.recording_files[1].id, TO_THE_TRASH
        ),
        "recover_file": lambda: api.recordings.recover_file(key, first, RECOVER),
    }
    kept = lambda: sorted(one.id for one in api.recordings.get(key).recording_files)  # noqa: E731
    return Case(writes[what], lambda: _gone(kept))


@of("recordings.update_settings")
def _sharing(api: Api, draw: Draw) -> Case:
    key = recording(api).uuid
    change = _some(
        draw,
        RecordingSettings,
        viewer_download=st.booleans(),
        on_demand=st.booleans(),
        send_email_to_host=st.booleans(),
    )
    return Case(
        lambda: api.recordings.update_settings(key, change),
        lambda: report(api.recordings.settings(key)),
    )


def case_of(operation: str, api: Api, draw: Draw) -> Case:
    """The case of an operation: functions that serve several take its family and its name."""
    family, _, name = operation.partition(".")
    make = CASES[operation]
    taken = make.__code__.co_varnames[: make.__code__.co_argcount]
    what = name.removesuffix("_members").removesuffix("_member")
    given = {"family": family, "what": name if name in _NAMED else what}
    return make(api, draw, **{key: value for key, value in given.items() if key in taken})


_NAMED = ("remove_all",)
__all__ = ["CASES", "Case", "case_of"]
