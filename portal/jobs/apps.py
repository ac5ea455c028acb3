from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "portal.jobs"
    label = "jobs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from portal.approvals import subjects  # noqa: PLC0415 - models are not loaded before
        from portal.audit import wording  # noqa: PLC0415 - models are not loaded before
        from portal.audit.undo.offered import register_jobs  # noqa: PLC0415
        from portal.config import metrics  # noqa: PLC0415
        from portal.connections.services import shares  # noqa: PLC0415
        from portal.connections.services.connections import credentials_changed  # noqa: PLC0415
        from portal.connections.services.reopening import reopened  # noqa: PLC0415
        from portal.jobs import home as jobs_home  # noqa: PLC0415
        from portal.jobs.approval_subject import JobSubject  # noqa: PLC0415
        from portal.jobs.happened import HAPPENED  # noqa: PLC0415
        from portal.jobs.history import links_to_jobs  # noqa: PLC0415
        from portal.jobs.home import RUNNING, open_jobs, titles_of  # noqa: PLC0415
        from portal.jobs.leases import JOBS, OPEN_JOBS  # noqa: PLC0415
        from portal.jobs.services import go_on_reopened, go_on_signed_in  # noqa: PLC0415
        from portal.ui import home  # noqa: PLC0415
        from portal.work import queue  # noqa: PLC0415

        credentials_changed.connect(go_on_signed_in)
        reopened.connect(go_on_reopened)
        queue.register(JOBS)
        home.register(jobs_home.JOBS, HAPPENED, RUNNING)
        shares.register(open_jobs)
        subjects.register(JobSubject())
        wording.register_titles(titles_of)
        register_jobs(links_to_jobs)
        metrics.register(OPEN_JOBS)
