"""Pages about the whole account, under `/c/<connection>/account/`."""

from typing import Any

from django.urls import URLPattern, path

from portal.account.baselines import (
    actions as baseline_actions,
    editing as baseline_editing,
    listing as baselines,
)
from portal.account.baselines.editing import ImportBaselineView
from portal.account.resources import (
    DEVICES,
    TRACKING_FIELDS,
    DeviceImportJob,
    TrackingFieldImportJob,
)
from portal.account.subjects import COMPARED, KINDS
from portal.account.views import (
    devices,
    matrix,
    matrix_changes,
    sub_account_actions,
    sub_accounts,
    tracking_fields,
)
from portal.account.views.telephony import ChangeTelephonyView, telephony
from portal.imports.views.importing import import_paths
from portal.ui.views.connected import paths_of
from portal.ui.views.resources import resource_paths

app_name = "account"


def _sub_account(rest: str, name: str, view: Any) -> URLPattern:
    made: URLPattern = path(f"sub-accounts/<id:account_id>/{rest}", view, name=f"sub-account{name}")
    return made


def _compare(kind: str) -> list[URLPattern]:
    views = [
        ("", "", matrix.CompareSettingsView.as_view()),
        ("export/<slug:file>/", "-export", matrix.CompareSettingsView.as_view(endpoint="export")),
        ("add/", "-add", matrix_changes.AddSubjectsView.as_view()),
    ]
    if kind in KINDS:  # others have no settings of their own
        views.append(("copy/", "-copy", matrix_changes.CopySettingsView.as_view()))
    return [
        path(f"compare/{kind}/{rest}", view, {"kind": kind}, name=f"compare-{kind}{suffix}")
        for rest, suffix, view in views
    ]


_BASELINE = {
    "edit": baseline_editing.EditBaselineView,
    "check": baseline_actions.CheckBaselineView,
    "bring-back": baseline_actions.RestoreNowView,
    "rule/on": baseline_actions.TurnRuleOnView,
    "rule/off": baseline_actions.TurnRuleOffView,
    "on": baseline_actions.TurnBaselineOnView,
    "off": baseline_actions.TurnBaselineOffView,
    "delete": baseline_actions.DeleteBaselineView,
    "yaml": baseline_actions.BaselineYamlView,
}

urlpatterns = [
    path("compare/", matrix.compare_start, name="compare"),
    *(url for kind in COMPARED for url in _compare(kind)),
    *paths_of(sub_accounts.SubAccountListView, "sub-accounts/", "sub-accounts"),
    path("sub-accounts/new/", sub_accounts.CreateSubAccountView.as_view(), name="sub-accounts-new"),
    _sub_account("", "", sub_accounts.SubAccountView.as_view()),
    _sub_account("history/", "-history", sub_accounts.SubAccountHistoryView.as_view()),
    *paths_of(
        sub_accounts.SubAccountSettingsView,
        "sub-accounts/<id:account_id>/settings/",
        "sub-account-settings",
    ),
    _sub_account("options/", "-options", sub_account_actions.ChangeOptionsView.as_view()),
    _sub_account("contact/", "-contact", sub_account_actions.ChangeContactView.as_view()),
    _sub_account("subscribe/", "-subscribe", sub_account_actions.SubscribeView.as_view()),
    _sub_account("base-plan/", "-base-plan", sub_account_actions.ChangeBasePlanView.as_view()),
    _sub_account("plans/add/", "-plan-add", sub_account_actions.AddPlanView.as_view()),
    _sub_account("plans/change/", "-plan-change", sub_account_actions.ChangePlanView.as_view()),
    _sub_account("disassociate/", "-disassociate", sub_account_actions.DisassociateView.as_view()),
    *resource_paths(DEVICES, devices.DeviceListView, devices.DeleteDeviceView),
    *import_paths("devices/", DeviceImportJob),
    *resource_paths(
        TRACKING_FIELDS,
        tracking_fields.TrackingFieldListView,
        tracking_fields.DeleteTrackingFieldView,
    ),
    *import_paths("tracking-fields/", TrackingFieldImportJob),
    *paths_of(baselines.BaselineListView, "baselines/", "baselines"),
    path(
        "baselines/new/<slug:subject_kind>/",
        baseline_editing.NewBaselineView.as_view(),
        name="baselines-new",
    ),
    path("baselines/import/", ImportBaselineView.as_view(), name="baselines-import"),
    *paths_of(baselines.BaselinePageView, "baselines/<int:baseline_id>/", "baseline"),
    *(
        path(
            f"baselines/<int:baseline_id>/{rest}/",
            view.as_view(),
            name=f"baseline-{rest.replace('/', '-')}",
        )
        for rest, view in _BASELINE.items()
    ),
    path("telephony/", telephony, name="telephony"),
    path("telephony/change/", ChangeTelephonyView.as_view(), name="telephony-change"),
]
