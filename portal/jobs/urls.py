"""Pages of jobs and of single changes of an account, under `/c/<connection>/`."""

from django.urls import include, path

from portal.jobs.views import actions, job, listing, undo

_jobs = [
    path("", listing.jobs, name="list"),
    path("running/", listing.running, name="running"),
    path("<str:job_key>/", job.show, name="job"),
    path("<str:job_key>/approve/", actions.approve, name="approve"),
    path("<str:job_key>/plan-again/", actions.plan_again, name="plan-again"),
    path("<str:job_key>/leave-out/", actions.leave_out, name="leave-out"),
    path("<str:job_key>/put-back/", actions.put_back, name="put-back"),
    path("<str:job_key>/pause/", actions.pause, name="pause"),
    path("<str:job_key>/resume/", actions.resume, name="resume"),
    path("<str:job_key>/retry/", actions.retry, name="retry"),
    path("<str:job_key>/take-back/", actions.undo, name="take-back"),
    path("<str:job_key>/take-out/", job.take_out, name="take-out"),
    path("<str:job_key>/cancel/", actions.CancelJobView.as_view(), name="cancel"),
    path("<str:job_key>/rows/<int:item_id>/judge/", actions.judge, name="judge"),
    path("<str:job_key>/rows/<str:which>.<str:kind>", job.rows, name="rows"),
]
_changes = [path("<int:change>/undo/", undo.UndoChangeView.as_view(), name="undo")]

urlpatterns = [
    path("jobs/", include((_jobs, "jobs"))),
    path("changes/", include((_changes, "changes"))),
]
