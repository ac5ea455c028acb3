"""Pages about people, under `/c/<connection>/people/`."""

from django.urls import path

from portal.people.groups import joining
from portal.people.licences import listing as licences
from portal.people.licences import views
from portal.people.services.groups import GROUPS, IM_GROUPS
from portal.people.views import (
    actions,
    chosen,
    creation,
    delegates,
    importing,
    listing,
    offboarding,
    onboarding,
    person,
    profile,
    removal,
    settings,
    tokens,
)

app_name = "people"

_TSP = "<id:user_id>/telephony/tsp/"

urlpatterns = [
    path("", listing.PeopleListView.as_view(), name="list"),
    path("refresh/", listing.PeopleListView.as_view(part="refresh"), name="refresh"),
    path("freshness/", listing.PeopleListView.as_view(part="freshness"), name="freshness"),
    path("export/<slug:file>/", listing.PeopleListView.as_view(part="export"), name="export"),
    path("compare/", listing.PeopleListView.as_view(part="compare"), name="compare"),
    path("chosen/licence/", chosen.licence, name="chosen-licence"),
    path("chosen/department/", chosen.department, name="chosen-department"),
    path("chosen/time-zone/", chosen.time_zone, name="chosen-time-zone"),
    path("chosen/join-group/", chosen.join_group, name="chosen-join-group"),
    path("chosen/move-group/", chosen.move_group, name="chosen-move-group"),
    path("chosen/leave-group/", chosen.leave_group, name="chosen-leave-group"),
    path("chosen/settings/", chosen.settings, name="chosen-settings"),
    path("chosen/activate/", chosen.activate, name="chosen-activate"),
    path("chosen/deactivate/", chosen.deactivate, name="chosen-deactivate"),
    path("chosen/remove/", chosen.remove, name="chosen-remove"),
    path("chosen/onboard/", onboarding.ApplyTemplateView.as_view(), name="chosen-onboard"),
    path("onboarding/", onboarding.templates, name="onboarding"),
    path("onboarding/new/", onboarding.EditTemplateView.as_view(), name="onboarding-new"),
    path(
        "onboarding/<int:onboarding_id>/",
        onboarding.EditTemplateView.as_view(),
        name="onboarding-edit",
    ),
    path(
        "onboarding/<int:onboarding_id>/delete/",
        onboarding.DeleteOnboardingTemplateView.as_view(),
        name="onboarding-delete",
    ),
    path("chosen/offboard/", offboarding.OffboardChosenView.as_view(), name="chosen-offboard"),
    path("offboarding/<slug:job_key>/", offboarding.receipt, name="offboarding"),
    path(
        "offboarding/<slug:job_key>/<id:user_id>/",
        offboarding.receipt,
        name="offboarding-person",
    ),
    path("create/", creation.CreatePersonView.as_view(), name="create"),
    path("create/look/", creation.CreatePersonView.as_view(part="look"), name="create-look"),
    path("create/email/", creation.email_availability, name="create-email-check"),
    path("licences/", licences.LicencesView.as_view(), name="licences"),
    path(
        "licences/refresh/", licences.LicencesView.as_view(part="refresh"), name="licences-refresh"
    ),
    path(
        "licences/freshness/",
        licences.LicencesView.as_view(part="freshness"),
        name="licences-freshness",
    ),
    path("licences/read/", licences.LicencesView.as_view(part="read"), name="licences-read"),
    path("licences/facts/", licences.LicencesView.as_view(part="facts"), name="licences-facts"),
    path(
        "licences/export/<slug:file>/",
        licences.LicencesView.as_view(part="export"),
        name="licences-export",
    ),
    path("licences/reclaim/", views.ReclaimLicencesView.as_view(), name="licences-reclaim"),
    path("licences/protect/", views.ProtectLicencesView.as_view(), name="licences-protect"),
    path("licences/protected/", views.protected, name="licences-protected"),
    path(
        "licences/protected/add/",
        views.AddProtectionView.as_view(),
        name="licences-protected-add",
    ),
    path(
        "licences/protected/<int:protection_id>/end/",
        views.EndProtectionView.as_view(),
        name="licences-protected-end",
    ),
    path("import/licences/", importing.StateSeatsView.as_view(), name="import-seats"),
    *importing.PeopleImportView.paths(),
    path("<id:user_id>/", profile.person, name="person"),
    path("<id:user_id>/profile/", profile.profile_page, name="profile"),
    path("<id:user_id>/profile/<slug:section>/", profile.edit, name="profile-edit"),
    path("<id:user_id>/licence/", profile.ChangeLicenceView.as_view(), name="licence"),
    path("<id:user_id>/link-name/", profile.vanity_name_availability, name="link-name-check"),
    path("<id:user_id>/email/", actions.ChangeEmailView.as_view(), name="email"),
    path("<id:user_id>/email/check/", actions.email_availability, name="email-check"),
    path("<id:user_id>/password/", actions.ChangePasswordView.as_view(), name="password"),
    path("<id:user_id>/host-key/", actions.ChangeHostKeyView.as_view(), name="host-key"),
    path("<id:user_id>/host-key/shown/", actions.show_host_key, name="host-key-shown"),
    path("<id:user_id>/picture/", actions.ChangePictureView.as_view(), name="picture"),
    path("<id:user_id>/picture/image/", actions.show, name="picture-image"),
    path("<id:user_id>/status/", actions.ChangeStatusView.as_view(), name="status"),
    path("<id:user_id>/token/", tokens.IssueTokenView.as_view(), name="token"),
    path("<id:user_id>/zpk/", tokens.CheckZpkView.as_view(), name="zpk"),
    path("<id:user_id>/revoke-token/", actions.RevokeTokenView.as_view(), name="revoke-token"),
    path("<id:user_id>/settings/", settings.PersonSettingsView.as_view(), name="settings"),
    path(
        "<id:user_id>/settings/review/",
        settings.PersonSettingsView.as_view(part="review"),
        name="settings-review",
    ),
    path(
        "<id:user_id>/settings/save/",
        settings.PersonSettingsView.as_view(part="save"),
        name="settings-save",
    ),
    path("<id:user_id>/offboard/", offboarding.OffboardPersonView.as_view(), name="offboard"),
    path("<id:user_id>/remove/", removal.remove, name="remove"),
    path("<id:user_id>/remove/outcome/", removal.outcome, name="remove-outcome"),
    path("<id:user_id>/remove/colleagues/", removal.colleagues, name="remove-colleagues"),
    path("<id:user_id>/tabs/<slug:tab>/", person.declared, name="tab"),
    path("<id:user_id>/groups/", person.groups, name="groups"),
    path(
        "<id:user_id>/groups/join/",
        joining.JoinGroupsView.as_view(),
        {"kind": GROUPS},
        name="groups-join",
    ),
    path(
        "<id:user_id>/groups/<id:group_id>/leave/",
        joining.LeaveGroupView.as_view(),
        {"kind": GROUPS},
        name="groups-leave",
    ),
    path(
        "<id:user_id>/im-groups/join/",
        joining.JoinGroupsView.as_view(),
        {"kind": IM_GROUPS},
        name="im-groups-join",
    ),
    path(
        "<id:user_id>/im-groups/<id:group_id>/leave/",
        joining.LeaveGroupView.as_view(),
        {"kind": IM_GROUPS},
        name="im-groups-leave",
    ),
    path("<id:user_id>/permissions/", person.permission_list, name="permissions"),
    path("<id:user_id>/history/", person.history, name="history"),
    path("<id:user_id>/delegates/", delegates.delegate_lists, name="delegates"),
    path(
        "<id:user_id>/assistants/add/", delegates.AddAssistantsView.as_view(), name="assistants-add"
    ),
    path(
        "<id:user_id>/assistants/remove-all/",
        delegates.RemoveAllAssistantsView.as_view(),
        name="assistants-remove-all",
    ),
    path(
        "<id:user_id>/assistants/<id:delegate_id>/remove/",
        delegates.RemoveAssistantView.as_view(),
        name="assistant-remove",
    ),
    path(
        "<id:user_id>/schedulers/remove-all/",
        delegates.RemoveAllSchedulersView.as_view(),
        name="schedulers-remove-all",
    ),
    path(
        "<id:user_id>/schedulers/<id:delegate_id>/remove/",
        delegates.RemoveSchedulerView.as_view(),
        name="scheduler-remove",
    ),
    path("<id:user_id>/telephony/", settings.accounts, name="telephony"),
    path("<id:user_id>/telephony/shown/", settings.show_secrets, name="telephony-shown"),
    path(f"{_TSP}new/", settings.AddTspAccountView.as_view(), name="tsp-new"),
    path(
        "<id:user_id>/telephony/tsp/<id:tsp_id>/",
        settings.ChangeTspAccountView.as_view(),
        name="tsp",
    ),
    path(
        "<id:user_id>/telephony/tsp/<id:tsp_id>/delete/",
        settings.DeleteTspAccountView.as_view(),
        name="tsp-delete",
    ),
]
