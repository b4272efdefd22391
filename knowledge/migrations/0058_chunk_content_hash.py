"""Which documents hold a passage's words is looked up by an index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0057_batches_of_points")]

    operations = [
        migrations.AddIndex(
            model_name="chunk",
            index=models.Index(
                condition=models.Q(("retired_at", None)), fields=["content_hash"], name="chunk_content_hash"
            ),
        ),
    ]
