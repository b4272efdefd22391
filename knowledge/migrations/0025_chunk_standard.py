from django.db import migrations


class Migration(migrations.Migration):
    """Nothing ever wrote these columns: the Tasks of a chunk say its certificates and classes."""

    dependencies = [("knowledge", "0024_vector_state")]

    operations = [
        migrations.RemoveField(model_name="chunk", name="certificate"),
        migrations.RemoveField(model_name="chunk", name="aircraft_class"),
    ]
