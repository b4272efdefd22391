import time
from datetime import date

from celery import shared_task
from celery.signals import heartbeat_sent, worker_ready
from django.core.cache import cache
from django.utils import timezone

from desk.accounts.invitation_mails import MAIL_TASK, mail_invitations
from desk.graph_upkeep import refresh_graph
from desk.operations.weekly_report import WEEK_TASK, keep_week, keep_weeks
from desk.passwords import RESET_TASK, send_reset
from desk.views.health import BEAT_KEY, OLDEST_BEAT_SECONDS
from knowledge.models import Tenant


@shared_task(name="desk.report_searches")
def report_searches() -> None:
    """Four times a day, so that an installation that runs only by day has its reports, too; a second run changes
    nothing."""
    keep_weeks(timezone.now())


@shared_task(name=WEEK_TASK)
def count_week_again(school: str | None, monday: str) -> None:
    """Asked for by the page "Searches"."""
    tenant = Tenant.objects.filter(pk=school).first() if school else None
    if tenant or not school:
        keep_week(tenant, date.fromisoformat(monday))


@shared_task(name="desk.refresh_graph")
def read_into_graph() -> None:
    """Look every minute at what changed, and read it into the graph."""
    refresh_graph()


@shared_task(name=RESET_TASK)
def send_password_link(email: str, host: str, secure: bool) -> None:
    """Mail a link to every account that has this address. A worker looks it up: how long the page takes tells nobody
    whether there is an account."""
    send_reset(email, host, secure=secure)


@shared_task(name=MAIL_TASK)
def send_invitations() -> None:
    """Once after each list that was invited, and every minute for what was left."""
    mail_invitations()


@worker_ready.connect
@heartbeat_sent.connect
def record_heartbeat(**_: object) -> None:
    """A worker's main process sends a heartbeat every 2 s, also while its whole pool is at work."""
    cache.set(BEAT_KEY, time.time(), timeout=OLDEST_BEAT_SECONDS * 10)
