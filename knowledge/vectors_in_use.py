"""Which embedding model searches use: a row, read each time anew, so that all processes switch in one moment."""

from django.conf import settings

from .models import VectorSet


def model_in_use() -> str:
    """The name of the model whose vectors are searched; before there are any, the one that is set."""
    name = VectorSet.objects.filter(in_use=True).values_list("model", flat=True).first()
    return name or settings.EMBEDDING_MODEL


def models_beside() -> list[str]:
    """The models whose vectors are kept beside those in use, oldest first."""
    return list(VectorSet.objects.filter(in_use=False).values_list("model", flat=True))
