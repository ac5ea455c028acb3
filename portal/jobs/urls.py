"""Pages of jobs and of single changes of an account, under `/c/<connection>/`."""

from django.urls import include, path

from portal.jobs import services
from portal.jobs.views import actions, job, listing, undo

_ACTS = {
    "plan-again": services.plan_again,
    "pause": services.pause,
    "resume": services.resume,
    "retry": services.retry_failed,
}
_ACTS_ON_ROWS = {"leave-out": services.leave_out, "put-back": services.put_back}
_jobs = [
    path("", listing.jobs, name="list"),
    path("running/", listing.running, name="running"),
    path("<str:job_key>/", job.show, name="job"),
    path("<str:job_key>/approve/", actions.approve, name="approve"),
    *(
        path(f"<str:job_key>/{name}/", actions.change, {"act": act}, name=name)
        for name, act in _ACTS.items()
    ),
    *(
        path(f"<str:job_key>/{name}/", actions.change_row, {"act": act}, name=name)
        for name, act in _ACTS_ON_ROWS.items()
    ),
    path("<str:job_key>/take-back/", actions.undo, name="take-back"),
    path("<str:job_key>/take-out/", job.export_secrets, name="take-out"),
    path("<str:job_key>/cancel/", actions.CancelJobView.as_view(), name="cancel"),
    path("<str:job_key>/rows/<int:item_id>/judge/", actions.judge, name="judge"),
    path("<str:job_key>/rows/<str:which>.<str:kind>", job.rows, name="rows"),
]
_changes = [path("<int:change>/undo/", undo.UndoChangeView.as_view(), name="undo")]

urlpatterns = [
    path("jobs/", include((_jobs, "jobs"))),
    path("changes/", include((_changes, "changes"))),
]
