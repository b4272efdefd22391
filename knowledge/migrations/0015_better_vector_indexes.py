"""The indexes of vectors are built with a longer working list: they find more of what is nearest."""

from django.db import migrations

MODELS = {"all-MiniLM-L6-v2": ("minilm", 384), "text-embedding-3-small": ("openai_small", 1536)}


def _create(model: str, name: str, dimensions: int, build: str) -> str:
    return (
        f"DROP INDEX embedding_hnsw_{name};"
        f"CREATE INDEX embedding_hnsw_{name} ON knowledge_chunkembedding"
        f" USING hnsw ((vector::vector({dimensions})) vector_cosine_ops) {build}"
        f" WHERE model = '{model}' AND state = 'current'"
    )


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0014_words")]

    operations = [
        migrations.RunSQL(
            _create(model, name, dimensions, "WITH (ef_construction = 200)"), _create(model, name, dimensions, "")
        )
        for model, (name, dimensions) in MODELS.items()
    ]
