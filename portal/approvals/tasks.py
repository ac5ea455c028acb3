"""The Celery task that works on a request."""

from portal.approvals import mails
from portal.approvals.models import UNDER_WAY, Mail, RequestState
from portal.approvals.queue import REQUESTS
from portal.approvals.services import calls, deciding
from portal.config.celery import app
from portal.work.leases import release


@app.task(name="approvals.work_on")
def work_on(request_id: int) -> None:
    """Has a request lapse, carries out what was approved, or sends the mail that is due."""
    asked = REQUESTS.take(request_id)
    if asked is None:
        return
    if asked.state in UNDER_WAY:
        calls.carry_out(asked)
        return
    if asked.state == RequestState.WAITING:
        deciding.lapse(asked)
    if asked.mail != Mail.NONE:
        mails.send(asked)
    else:
        release(asked)
