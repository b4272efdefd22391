"""Mail invitations: which are due, and what the mail server said of each.

The rows are the truth: a worker is woken for those of one page, and a sweep finds what was left. A mailbox that is
refused does not stop the others; a mail server that is away is asked again later, up to the day the link expires.
"""

from datetime import datetime, timedelta
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPResponseException

import structlog
from celery import current_app
from django.core.mail import get_connection, send_mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerAway

from desk.conf import MAIL_CLAIMED, MAIL_RETRY_FIRST, MAIL_RETRY_LONGEST
from knowledge.access.membership import school_in_words
from knowledge.access.secrets import digest_of, new_secret
from knowledge.models import InvitationMail

MAIL_TASK = "desk.mail_invitations"
log = structlog.get_logger(__name__)


def wake_for_mails() -> None:
    """Tell the workers that mails are due. If the broker is away, the sweep finds them later."""
    if current_app.conf.task_always_eager:  # it holds for tasks that are called, not for those sent by name
        mail_invitations()
        return
    try:
        current_app.send_task(MAIL_TASK)
    except BrokerAway as error:
        log.warning("invitations.broker_away", error=str(error))


def mail_invitations() -> None:
    """Send what is due, by one connection."""
    connection = get_connection()
    try:
        for mail in _due_mails().select_related("invitation__tenant", "invitation__created_by"):
            if not _send_one(mail, connection):
                return
    finally:
        connection.close()


def _due_mails() -> QuerySet[InvitationMail]:
    now = timezone.now()
    wanted = InvitationMail.objects.filter(invitation__used_at=None, invitation__expires_at__gt=now)
    return wanted.filter(due_at__lte=now).order_by("due_at", "pk")


def _send_one(mail: InvitationMail, connection: BaseEmailBackend) -> bool:
    """False if the mail server is away, so that no other mail can be sent now."""
    now, secret = timezone.now(), new_secret()
    row = InvitationMail.objects.filter(pk=mail.pk)
    # Whoever changes the row sends it. A worker that dies then leaves it due again after a while.
    if not row.filter(due_at=mail.due_at).update(due_at=now + MAIL_CLAIMED, digest=digest_of(secret)):
        return True
    retry = _wait_of(mail, now)
    try:
        connection.open()
        _mail_link(mail, secret, connection)
    except (SMTPRecipientsRefused, SMTPDataError) as error:  # of this mail; the next may be taken
        code, said = _answer_of(error, mail.invitation.email)
        due = None if code >= 500 else now + retry
        row.update(due_at=due, trouble=f"the mail server refused it: {code} {said}")
        return True
    except (SMTPException, OSError) as error:
        trouble = f"the mail server cannot be reached ({error})"
        if isinstance(error, SMTPResponseException):
            trouble = "the mail server refused this installation: {} {}".format(*_answer_of(error))
        _due_mails().update(due_at=now + retry, trouble=trouble)
        row.update(
            due_at=now + 2 * retry, trouble=trouble
        )  # behind the others, in case it is this mail's own fault
        log.warning("invitations.not_mailed", error=str(error))
        return False
    row.update(due_at=None, sent_at=timezone.now(), trouble="")
    return True


def _wait_of(mail: InvitationMail, now: datetime) -> timedelta:
    """About as long as it has been tried already, so each wait doubles the time."""
    return min(max(now - mail.invitation.created_at, MAIL_RETRY_FIRST), MAIL_RETRY_LONGEST)


def _answer_of(error: SMTPException, address: str = "") -> tuple[int, str]:
    if isinstance(error, SMTPRecipientsRefused):
        code, said = error.recipients.get(address) or next(iter(error.recipients.values()))
    else:
        code, said = error.smtp_code, error.smtp_error  # type: ignore[attr-defined]
    return code, said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)


def _mail_link(mail: InvitationMail, secret: str, connection: BaseEmailBackend) -> None:
    invitation = mail.invitation
    school = school_in_words(invitation.tenant)
    link = f"{mail.site}{reverse('desk:invitation', args=[secret])}"
    text = render_to_string(
        "registration/invitation_mail.txt", {"invitation": invitation, "school": school, "link": link}
    )
    send_mail(f"Invitation to {school} on HeyDPE", text, None, [invitation.email], connection=connection)
