"""The demo's three accounts, with a password that everybody knows. `load` creates them with DEBUG only."""

from collections.abc import Mapping

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser

from knowledge.models import Membership
from knowledge.models.tenancy import Role

ACCOUNTS: Mapping[str, Role] = {
    "student": Role.STUDENT,
    "reviewer": Role.REVIEWER,
    "operator": Role.OPERATOR,
}


def create_accounts(password: str) -> tuple[str, ...]:
    """Create the missing accounts; their names. If DEMO_PASSWORD has changed, all three get the new one."""
    users: dict[str, AbstractUser] = {}
    for account, role in ACCOUNTS.items():
        person, is_new = get_user_model()._default_manager.get_or_create(username=account)
        users[account] = person
        if is_new:
            person.set_unusable_password()
            person.save(update_fields=["password"])
            Membership.objects.get_or_create(user=person, tenant=None, role=role)
    created = tuple(name for name, user in users.items() if not user.has_usable_password())
    if created or not users["student"].check_password(password):
        for user in users.values():
            user.set_password(password)
            user.save(update_fields=["password"])
    return created


def accounts_open_to(password: str) -> tuple[str, ...]:
    """The accounts that this password opens; without DEBUG there should be none."""
    users = get_user_model()._default_manager.filter(username__in=ACCOUNTS, is_active=True)
    return tuple(user.get_username() for user in users if user.check_password(password))


def demo_reviewer() -> AbstractUser:
    """The account that approves the demo's claims."""
    reviewer: AbstractUser = get_user_model()._default_manager.get(username="reviewer")
    return reviewer
