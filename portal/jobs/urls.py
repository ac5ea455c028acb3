"""Pages of jobs, under `/c/<connection>/jobs/`."""

from django.urls import path

from portal.jobs.views import acts, job, listing

app_name = "jobs"

urlpatterns = [
    path("", listing.jobs, name="list"),
    path("running/", listing.running, name="running"),
    path("<str:job_key>/", job.show, name="job"),
    path("<str:job_key>/approve/", acts.approve, name="approve"),
    path("<str:job_key>/plan-again/", acts.plan_again, name="plan-again"),
    path("<str:job_key>/leave-out/", acts.leave_out, name="leave-out"),
    path("<str:job_key>/put-back/", acts.put_back, name="put-back"),
    path("<str:job_key>/pause/", acts.pause, name="pause"),
    path("<str:job_key>/resume/", acts.resume, name="resume"),
    path("<str:job_key>/retry/", acts.retry, name="retry"),
    path("<str:job_key>/take-back/", acts.undo, name="take-back"),
    path("<str:job_key>/take-out/", job.take_out, name="take-out"),
    path("<str:job_key>/cancel/", acts.CancelJobView.as_view(), name="cancel"),
    path("<str:job_key>/rows/<int:item_id>/judge/", acts.judge, name="judge"),
    path("<str:job_key>/rows/<str:which>.<str:kind>", job.rows, name="rows"),
]
