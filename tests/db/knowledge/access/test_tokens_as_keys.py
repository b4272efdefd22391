"""A token that was stored in the clear goes on working as an API key, and its table is gone."""

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from knowledge.conf import KEY_DAYS

pytestmark = pytest.mark.django_db
MIGRATION = import_module("knowledge.migrations.0032_tokens_as_keys")
TOKEN = "0123456789abcdef0123456789abcdef01234567"


def test_a_token_from_before_signs_in_until_its_day() -> None:
    users = [User.objects.create_user(name) for name in ("new", "old")]
    made = (timezone.now(), timezone.now() - timedelta(days=KEY_DAYS, seconds=1))
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE authtoken_token (key varchar(40), created timestamptz, user_id integer)")
        for user, created, key in zip(users, made, (TOKEN, TOKEN[::-1]), strict=True):
            cursor.execute("INSERT INTO authtoken_token VALUES (%s, %s, %s)", [key, created, user.pk])
    MIGRATION.keep_tokens(apps, SimpleNamespace(connection=connection))
    for key, status in ((TOKEN, 200), (TOKEN[::-1], 401)):
        assert Client().get("/api/v1/exams/", headers={"Authorization": f"Token {key}"}).status_code == status
    assert "authtoken_token" not in connection.introspection.table_names()
    MIGRATION.keep_tokens(apps, SimpleNamespace(connection=connection))
