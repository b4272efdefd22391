"""Mail invitations: which are due, and what the mail server said of each.

The rows are the truth: a worker is woken for those of one page, and a sweep finds what was left. A mailbox that is
refused does not stop the others; a mail server that is away is asked again later, some days long. A mail that may have
arrived is not sent again.
"""

from smtplib import SMTP, SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPResponseException
from traceback import walk_tb

import structlog
from celery import current_app
from django.conf import settings
from django.core.mail import get_connection, send_mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from kombu.exceptions import OperationalError as BrokerAway

from desk.conf import MAIL_CLAIMED, MAIL_RETRY_FIRST, MAIL_RETRY_LONGEST, MAIL_TRIES_MOST
from knowledge.access.membership import school_in_words
from knowledge.access.secrets import digest_of
from knowledge.models import Invitation, InvitationMail
from knowledge.models.accounts import MailState

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
    # No join: of a joined update, PostgreSQL does not look again at a row that another worker has just claimed.
    wanted = Invitation.objects.filter(used_at=None, expires_at__gt=now)
    # A mail at which the server fails each time comes behind the others.
    return InvitationMail.objects.filter(due_at__lte=now, invitation__in=wanted).order_by("tries", "due_at")


def _send_one(mail: InvitationMail, connection: BaseEmailBackend) -> bool:
    """False if the mail server is away, so that no other mail can be sent now."""
    now = timezone.now()
    # The same at each try: whichever mail arrives holds a link that works.
    secret = salted_hmac("desk.invitation_mail", mail.invitation.digest, algorithm="sha256").hexdigest()
    row = InvitationMail.objects.filter(pk=mail.pk)
    is_last = mail.tries + 1 >= MAIL_TRIES_MOST
    # Whoever changes the row sends it. A worker that dies then leaves it due again after a while.
    claim = _due_mails().filter(pk=mail.pk, due_at=mail.due_at)
    until = None if is_last else now + MAIL_CLAIMED
    if not claim.update(
        due_at=until, tries=mail.tries + 1, state=MailState.SENDING, digest=digest_of(secret)
    ):
        return True
    tried = now - mail.invitation.created_at  # so each wait doubles the time
    later = now + min(max(tried, MAIL_RETRY_FIRST), MAIL_RETRY_LONGEST)
    due = None if is_last else later
    try:
        connection.open()
        _mail_link(mail, secret, connection)
    except (SMTPRecipientsRefused, SMTPDataError) as error:  # of this mail; the next may be taken
        code, said = _answer_of(error, mail.invitation.email)
        state, whom = MailState.WAITING, "it" if code < 500 else "this installation"
        if _is_address_refused(code, said):
            due, state, whom = None, MailState.REFUSED, "it"
        row.update(due_at=due, state=state, trouble=f"the mail server refused {whom}: {code} {said}")
        if code == 421:  # smtplib has hung up, which the connection does not notice
            connection.close()
    except OSError as error:  # as every SMTPException is
        if _is_handed_over(error):
            trouble = f"the connection ended before the mail server said whether it took the mail ({error})"
            row.update(due_at=None, state=MailState.UNSURE, trouble=trouble)
            connection.close()
            return True
        trouble = f"the mail server cannot be reached ({error})"
        if isinstance(error, SMTPResponseException):
            trouble = "the mail server refused this installation: {} {}".format(*_answer_of(error))
        _due_mails().update(due_at=later, state=MailState.WAITING, trouble=trouble)
        row.update(due_at=due, state=MailState.WAITING, trouble=trouble)
        log.warning("invitations.not_mailed", error=str(error))
        return False
    except ValueError as error:  # after OSError: a wrong certificate is both
        trouble = f"the address cannot be used: {error}"
        row.update(due_at=None, state=MailState.REFUSED, trouble=trouble)
    else:
        state = MailState.MAILED if settings.ENV.mail_server else MailState.PRINTED
        row.update(due_at=None, sent_at=timezone.now(), state=state, trouble="")
    return True


def _is_address_refused(code: int, said: str) -> bool:
    """Whether it is no use to try again. The extended codes are those of RFC 3463."""
    if said.startswith(("5.4.", "5.7.", "5.1.7", "5.1.8")):  # the route, a policy, the sender's address
        return False
    return said.startswith("5.1.") or code in (550, 551, 553)


def _is_handed_over(error: OSError) -> bool:
    """Whether the connection ended within DATA, so that the mail may have arrived."""
    return any(frame.f_code is SMTP.data.__code__ for frame, _ in walk_tb(error.__traceback__))


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
