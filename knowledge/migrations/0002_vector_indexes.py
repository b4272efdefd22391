"""One partial HNSW index per embedding model: a vector column without a dimension can only be indexed by expression."""

from django.db import migrations

MODELS = {"all-MiniLM-L6-v2": ("minilm", 384), "text-embedding-3-small": ("openai_small", 1536)}


def _create(model: str, name: str, dimensions: int) -> str:
    return (
        f"CREATE INDEX embedding_hnsw_{name} ON knowledge_chunkembedding"
        f" USING hnsw ((vector::vector({dimensions})) vector_cosine_ops)"
        f" WHERE model = '{model}' AND state = 'current'"
    )


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0001_library")]

    operations = [
        migrations.RunSQL(_create(model, name, dimensions), f"DROP INDEX embedding_hnsw_{name}")
        for model, (name, dimensions) in MODELS.items()
    ]
