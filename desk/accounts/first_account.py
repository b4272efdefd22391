"""The first account of an installation that has none.

Whoever opens the address first must not get it: the page asks for a key that is printed where the server starts, and
that follows from SECRET_KEY, so that all processes know it and nothing is stored.
"""

from collections.abc import Callable
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.text import slugify

from knowledge.access.membership import add_school


class AccountExists(Exception):
    """Somebody else was quicker, or has made an account long ago."""


def has_account() -> bool:
    return User.objects.exists()


def setup_key() -> str:
    return salted_hmac("desk.first_account", "setup", algorithm="sha256").hexdigest()[:40]


def is_setup_key(key: str) -> bool:
    return constant_time_compare(key.strip().encode("utf-8", "replace"), setup_key().encode())


def setup_path() -> str:
    """With the host that ALLOWED_HOSTS names first, if that is one name."""
    path = f"{reverse('desk:first_account')}?{urlencode({'key': setup_key()})}"
    host = next((name for name in settings.ALLOWED_HOSTS if not name.startswith((".", "*"))), "")
    return f"https://{host}{path}" if host else path


def create_first_account(make: Callable[[], User], school: str = "") -> User:
    """The user that `make` saves, as superuser and as operator of a school of this name. Nobody else can add a user in
    between. Raises AccountExists, and MembershipRefused for a name that cannot be a school's."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {User._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")
        if has_account():
            raise AccountExists
        user = make()
        user.is_superuser = user.is_staff = True
        user.save(update_fields=["is_superuser", "is_staff"])
        if school:
            add_school(slugify(school) or "school", school, by=user)
    return user
