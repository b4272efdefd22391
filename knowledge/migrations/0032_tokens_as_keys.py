"""Tokens that were stored in the clear go on as API keys; their table goes."""

from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import migrations

OLD = "authtoken_token"
DAYS = 90


def keep_tokens(apps: Any, editor: Any) -> None:
    connection = editor.connection
    with connection.cursor() as cursor:
        if OLD not in connection.introspection.table_names(cursor):
            return
        cursor.execute(f"SELECT key, created, user_id FROM {OLD}")
        rows = cursor.fetchall()
        keys = [
            apps.get_model("knowledge", "ApiKey")(
                user_id=user,
                name="API token",
                prefix=key[:8],
                digest=sha256(key.encode()).hexdigest(),
                expires_at=created + timedelta(days=DAYS),
            )
            for key, created, user in rows
        ]
        apps.get_model("knowledge", "ApiKey").objects.bulk_create(keys)
        cursor.execute(f"DROP TABLE {OLD}")


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0031_accounts"),
    ]

    operations = [
        migrations.RunPython(keep_tokens, migrations.RunPython.noop),
    ]
