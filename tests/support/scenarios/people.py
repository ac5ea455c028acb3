"""Scenarios of the operations on people, with the running sandbox."""

import io
import uuid
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from PIL import Image

from portal.client import Api, NotFound
from portal.contract.delegates import Assistants, Delegate, DelegateList, Schedulers
from portal.contract.groups import Groups, ImGroups
from portal.contract.meetings import MeetingListType, Meetings, MeetingsQuery
from portal.contract.operation import Operation
from portal.contract.recordings import Recordings, RecordingsQuery
from portal.contract.telephony import PacAccounts, TspAccount, TspAccounts
from portal.contract.user_settings import InMeeting, UserSettingsUpdate
from portal.contract.users import (
    CreateAction,
    CreatedUser,
    EmailChange,
    EmailQuery,
    LicenceType,
    NewUser,
    NewUserInfo,
    PasswordChange,
    Picture,
    RemovalAction,
    StatusAction,
    StatusChange,
    UserQuery,
    UserRemoval,
    Users,
    UserStatus,
    UserUpdate,
    VanityNameQuery,
)
from portal.contract.webinars import Webinars

Scenario = Callable[[Api], None]
SCENARIOS: dict[str, Scenario] = {}


def shows(*shown: Operation[Any, Any]) -> Callable[[Scenario], Scenario]:
    """The scenario of these operations."""

    def register(scenario: Scenario) -> Scenario:
        SCENARIOS.update(dict.fromkeys((operation.name for operation in shown), scenario))
        return scenario

    return register


def person(api: Api) -> CreatedUser:
    """A person whom no other scenario uses."""
    info = NewUserInfo(
        email=f"{uuid.uuid4().hex}@brightwater.example",
        first_name="Ann",
        type=LicenceType.PRO,
        password="correct horse",
    )
    return api.users.create(NewUser(action=CreateAction.AUTO_CREATE, user_info=info))


def is_gone(api: Api, user_id: str) -> bool:
    try:
        api.users.get(user_id)
    except NotFound:
        return True
    return False


def statuses(api: Api, user_id: str) -> list[UserStatus]:
    """The lists that a person is in."""
    return [
        status
        for status in UserStatus
        if any(user.id == user_id for user in api.users.list.all(UserQuery(status=status)))
    ]


@shows(Users.create, Users.get)
def _people_are_created(api: Api) -> None:
    created = person(api)
    for name in (created.id, created.email):
        answer = api.users.get(name)
        assert (answer.id, answer.email, answer.first_name) == (created.id, created.email, "Ann")
        assert answer.type is LicenceType.PRO


@shows(Users.list)
def _people_are_listed(api: Api) -> None:
    created = person(api)
    page = api.users.list(UserQuery(page_size=10))
    assert len(page.users) == 10
    everybody = [user.id for user in api.users.list.all(UserQuery(page_size=7))]
    assert created.id in everybody
    assert len(everybody) == len(set(everybody)) == page.total_records


@shows(Users.update)
def _profiles_are_changed(api: Api) -> None:
    ann = person(api)
    api.users.update(ann.id, UserUpdate(dept="Field Service", timezone="Europe/Berlin"))
    answer = api.users.get(ann.id)
    assert (answer.dept, answer.timezone, answer.first_name) == (
        "Field Service",
        "Europe/Berlin",
        "Ann",
    )


@shows(Users.delete)
def _people_are_removed(api: Api) -> None:
    for removal in (UserRemoval(), UserRemoval(action=RemovalAction.DELETE)):
        ann = person(api)
        api.users.delete(ann.id, removal)
        assert is_gone(api, ann.id)


@shows(Users.email_exists, Users.change_email)
def _emails_are_changed(api: Api) -> None:
    ann, new = person(api), f"{uuid.uuid4().hex}@brightwater.example"
    assert api.users.email_exists(EmailQuery(email=ann.email)).existed_email
    assert not api.users.email_exists(EmailQuery(email=new)).existed_email
    api.users.change_email(ann.id, EmailChange(email=new))
    assert api.users.get(ann.id).email == new


@shows(Users.vanity_name_exists)
def _vanity_names_are_looked_up(api: Api) -> None:
    name = f"ann.{uuid.uuid4().hex[:8]}"
    assert not api.users.vanity_name_exists(VanityNameQuery(vanity_name=name)).existed
    api.users.update(person(api).id, UserUpdate(vanity_name=name))
    assert api.users.vanity_name_exists(VanityNameQuery(vanity_name=name)).existed


@shows(Users.change_password, Users.revoke_token)
def _sign_ins_end(api: Api) -> None:
    ann = person(api)
    api.users.change_password(ann.id, PasswordChange(password="battery staple"))
    api.users.revoke_token(ann.id)


@shows(Users.change_status)
def _people_are_deactivated_and_activated(api: Api) -> None:
    ann = person(api)
    api.users.change_status(ann.id, StatusChange(action=StatusAction.DEACTIVATE))
    assert statuses(api, ann.id) == [UserStatus.INACTIVE]
    api.users.change_status(ann.id, StatusChange(action=StatusAction.ACTIVATE))
    assert statuses(api, ann.id) == [UserStatus.ACTIVE]


@shows(Users.permissions)
def _permissions_are_reported(api: Api) -> None:
    assert "Meeting:Edit" in api.users.permissions(person(api).id).permissions


@shows(Users.upload_picture)
def _pictures_are_set(api: Api) -> None:
    ann, content = person(api), io.BytesIO()
    Image.new("RGB", (8, 8), "teal").save(content, "JPEG")
    assert not api.users.get(ann.id).pic_url
    api.users.upload_picture(ann.id, Picture(pic_file=content.getvalue()))
    assert api.users.get(ann.id).pic_url.startswith("http")


@shows(Users.settings, Users.update_settings)
def _settings_are_changed_one_by_one(api: Api) -> None:
    ann = person(api)
    before = api.users.settings(ann.id).in_meeting
    assert before is not None
    change = InMeeting(waiting_room=not before.waiting_room)
    api.users.update_settings(ann.id, UserSettingsUpdate(in_meeting=change))
    after = api.users.settings(ann.id).in_meeting
    assert after == before.model_copy(update={"waiting_room": not before.waiting_room})


@shows(
    Assistants.list,
    Assistants.add,
    Assistants.remove,
    Assistants.remove_all,
    Schedulers.list,
    Schedulers.remove,
    Schedulers.remove_all,
)
def _assistants_schedule_for_others(api: Api) -> None:
    ann, ben, cat = person(api), person(api), person(api)

    def assistants() -> set[str | None]:
        return {each.id for each in api.assistants.list(ann.id).assistants}

    def add() -> None:
        named = [Delegate(id=ben.id), Delegate(email=cat.email)]
        added = api.assistants.add(ann.id, DelegateList(assistants=named))
        assert set(added.ids.split(",")) == {ben.id, cat.id}

    add()
    assert assistants() == {ben.id, cat.id}
    assert [each.id for each in api.schedulers.list(ben.id).assistants] == [ann.id]
    api.assistants.remove(ann.id, ben.id)
    api.schedulers.remove(cat.id, ann.id)
    assert assistants() == set()
    add()
    api.schedulers.remove_all(ben.id)
    assert assistants() == {cat.id}
    api.assistants.remove_all(ann.id)
    assert assistants() == set()


@shows(
    TspAccounts.list, TspAccounts.get, TspAccounts.create, TspAccounts.update, TspAccounts.delete
)
def _tsp_accounts_come_and_go(api: Api) -> None:
    ann = person(api)
    created = api.tsp_accounts.create(ann.id, TspAccount(conference_code="12", leader_pin="34"))
    assert created.id
    change = TspAccount(conference_code="12", leader_pin="56")
    api.tsp_accounts.update(ann.id, created.id, change)
    assert api.tsp_accounts.get(ann.id, created.id).leader_pin == "56"
    assert [each.id for each in api.tsp_accounts.list(ann.id).tsp_accounts] == [created.id]
    api.tsp_accounts.delete(ann.id, created.id)
    assert api.tsp_accounts.list(ann.id).tsp_accounts == []


@shows(PacAccounts.list)
def _pac_accounts_are_listed(api: Api) -> None:
    assert api.pac_accounts.list(person(api).id).tsp_accounts == []
    known = (api.pac_accounts.list(user.id).tsp_accounts for user in api.users.list.all())
    assert any(account.conference_id for accounts in known for account in accounts)


@shows(Groups.list, ImGroups.list)
def _groups_are_listed(api: Api) -> None:
    groups = {group.id: group.name for group in api.groups.list().groups}
    assert groups
    assert all(groups.values())
    assert api.im_groups.list().groups
    grouped = {group for user in api.users.list.all() for group in user.group_ids}
    assert grouped <= set(groups)


@shows(Meetings.of_user)
def _meetings_are_listed(api: Api) -> None:
    scheduled = MeetingsQuery(type=MeetingListType.SCHEDULED)
    hosts = (user.id for user in api.users.list.all())
    meetings = next(found for host in hosts if (found := _all_of(api, host, scheduled)))
    assert all(meeting.topic for meeting in meetings)
    assert list(api.meetings.of_user.all(person(api).id, scheduled)) == []


def _all_of(api: Api, host: str, query: MeetingsQuery) -> list[Any]:
    found = list(api.meetings.of_user.all(host, query))
    assert all(meeting.host_id == host for meeting in found)
    return found


@shows(Webinars.of_user)
def _webinars_are_listed(api: Api) -> None:
    hosts = (user.id for user in api.users.list.all())
    assert any(list(api.webinars.of_user.all(host)) for host in hosts)


@shows(Recordings.of_user)
def _recordings_are_listed(api: Api) -> None:
    today = date.today()
    month = RecordingsQuery(from_=today - timedelta(days=30), to=today, page_size=1)
    hosts = (user.id for user in api.users.list.all())
    recorded = (list(api.recordings.of_user.all(host, month)) for host in hosts)
    longest = max(recorded, key=len)
    assert len({meeting.uuid for meeting in longest}) == len(longest) > 0
