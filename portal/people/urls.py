"""Pages about people, under `/c/<connection>/people/`."""

from django.urls import path

from portal.people.services.group_types import GROUPS, IM_GROUPS
from portal.people.views import (
    chosen,
    create,
    credentials,
    delegate_removal,
    delegates,
    importing,
    licence,
    listing,
    person,
    picture,
    profile,
    removal,
    settings,
    status,
    telephony,
    tokens,
)
from portal.people.views.groups import joining

app_name = "people"

_TSP = "<id:user_id>/telephony/tsp/"

urlpatterns = [
    path("", listing.PeopleList.as_view(), name="list"),
    path("refresh/", listing.PeopleList.as_view(part="refresh"), name="refresh"),
    path("freshness/", listing.PeopleList.as_view(part="freshness"), name="freshness"),
    path("export/<slug:file>/", listing.PeopleList.as_view(part="export"), name="export"),
    path("compare/", listing.PeopleList.as_view(part="compare"), name="compare"),
    path("chosen/licence/", chosen.licence, name="chosen-licence"),
    path("chosen/department/", chosen.department, name="chosen-department"),
    path("chosen/time-zone/", chosen.time_zone, name="chosen-time-zone"),
    path("chosen/join-group/", chosen.join_group, name="chosen-join-group"),
    path("chosen/leave-group/", chosen.leave_group, name="chosen-leave-group"),
    path("chosen/settings/", chosen.settings, name="chosen-settings"),
    path("chosen/activate/", chosen.activate, name="chosen-activate"),
    path("chosen/deactivate/", chosen.deactivate, name="chosen-deactivate"),
    path("chosen/remove/", chosen.remove, name="chosen-remove"),
    path("create/", create.CreatePerson.as_view(), name="create"),
    path("create/look/", create.CreatePerson.as_view(part="look"), name="create-look"),
    path("create/email/", create.email_availability, name="create-email-check"),
    path("import/", importing.PeopleImport.as_view(), name="import"),
    path(
        "import/template.<slug:file>",
        importing.PeopleImport.as_view(part="template"),
        name="import-template",
    ),
    path("import/licences/", importing.state_seats, name="import-seats"),
    path(
        "import/<slug:upload>/",
        importing.PeopleImport.as_view(part="columns"),
        name="import-columns",
    ),
    path(
        "import/<slug:upload>/read/",
        importing.PeopleImport.as_view(part="read"),
        name="import-read",
    ),
    path("<id:user_id>/", profile.person, name="person"),
    path("<id:user_id>/profile/<slug:section>/", profile.edit, name="profile-edit"),
    path("<id:user_id>/licence/", licence.ChangeLicence.as_view(), name="licence"),
    path("<id:user_id>/link-name/", profile.vanity_name_availability, name="link-name-check"),
    path("<id:user_id>/email/", credentials.ChangeEmail.as_view(), name="email"),
    path("<id:user_id>/email/check/", credentials.email_availability, name="email-check"),
    path("<id:user_id>/password/", credentials.ChangePassword.as_view(), name="password"),
    path("<id:user_id>/host-key/", credentials.ChangeHostKey.as_view(), name="host-key"),
    path("<id:user_id>/host-key/shown/", credentials.show_host_key, name="host-key-shown"),
    path("<id:user_id>/picture/", picture.ChangePicture.as_view(), name="picture"),
    path("<id:user_id>/picture/image/", picture.show, name="picture-image"),
    path("<id:user_id>/status/", status.ChangeStatus.as_view(), name="status"),
    path("<id:user_id>/token/", tokens.IssueToken.as_view(), name="token"),
    path("<id:user_id>/zpk/", tokens.CheckZpk.as_view(), name="zpk"),
    path("<id:user_id>/revoke-token/", status.RevokeToken.as_view(), name="revoke-token"),
    path("<id:user_id>/settings/", settings.PersonSettings.as_view(), name="settings"),
    path(
        "<id:user_id>/settings/review/",
        settings.PersonSettings.as_view(part="review"),
        name="settings-review",
    ),
    path(
        "<id:user_id>/settings/save/",
        settings.PersonSettings.as_view(part="save"),
        name="settings-save",
    ),
    path("<id:user_id>/remove/", removal.remove, name="remove"),
    path("<id:user_id>/remove/outcome/", removal.outcome, name="remove-outcome"),
    path("<id:user_id>/remove/colleagues/", removal.colleagues, name="remove-colleagues"),
    path("<id:user_id>/tabs/<slug:tab>/", person.declared, name="tab"),
    path("<id:user_id>/groups/", person.groups, name="groups"),
    path(
        "<id:user_id>/groups/join/",
        joining.JoinGroups.as_view(),
        {"kind": GROUPS},
        name="groups-join",
    ),
    path(
        "<id:user_id>/groups/<id:group_id>/leave/",
        joining.LeaveGroup.as_view(),
        {"kind": GROUPS},
        name="groups-leave",
    ),
    path(
        "<id:user_id>/im-groups/join/",
        joining.JoinGroups.as_view(),
        {"kind": IM_GROUPS},
        name="im-groups-join",
    ),
    path(
        "<id:user_id>/im-groups/<id:group_id>/leave/",
        joining.LeaveGroup.as_view(),
        {"kind": IM_GROUPS},
        name="im-groups-leave",
    ),
    path("<id:user_id>/permissions/", person.permission_list, name="permissions"),
    path("<id:user_id>/history/", person.history, name="history"),
    path("<id:user_id>/delegates/", delegates.delegate_lists, name="delegates"),
    path("<id:user_id>/assistants/add/", delegates.AddAssistants.as_view(), name="assistants-add"),
    path(
        "<id:user_id>/assistants/remove-all/",
        delegate_removal.RemoveAllAssistants.as_view(),
        name="assistants-remove-all",
    ),
    path(
        "<id:user_id>/assistants/<id:delegate_id>/remove/",
        delegate_removal.RemoveAssistant.as_view(),
        name="assistant-remove",
    ),
    path(
        "<id:user_id>/schedulers/remove-all/",
        delegate_removal.RemoveAllSchedulers.as_view(),
        name="schedulers-remove-all",
    ),
    path(
        "<id:user_id>/schedulers/<id:delegate_id>/remove/",
        delegate_removal.RemoveScheduler.as_view(),
        name="scheduler-remove",
    ),
    path("<id:user_id>/telephony/", telephony.accounts, name="telephony"),
    path("<id:user_id>/telephony/shown/", telephony.show_secrets, name="telephony-shown"),
    path(f"{_TSP}new/", telephony.AddTspAccount.as_view(), name="tsp-new"),
    path(
        "<id:user_id>/telephony/tsp/<id:tsp_id>/", telephony.ChangeTspAccount.as_view(), name="tsp"
    ),
    path(
        "<id:user_id>/telephony/tsp/<id:tsp_id>/delete/",
        telephony.DeleteTspAccount.as_view(),
        name="tsp-delete",
    ),
]
