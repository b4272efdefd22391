"""Build another model's vectors beside those that searches read, switch to them, and remove a set.

A set is kept from the moment its building is requested: documents stored from then on get vectors of every set, so that
building ends. Building is a job like any other and continues where it stopped. Searches read the one set that a row
names (`library_version`). Switching is one transaction, refused while a passage that can be found now would be lost.
The old set stays, and is kept up to date, until it is removed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Count, Sum
from django.db.models.functions import Now

from knowledge import conf
from knowledge.ingestion.chunking.token_counting import cost_of
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.eta import duration_in_words
from knowledge.ingestion.jobs.jobs import OPEN_STATES, wake_worker
from knowledge.ingestion.jobs.step_rates import EMBEDDING, measured_rates
from knowledge.ingestion.vectors.embedding import chunks_behind, embed_chunks
from knowledge.ingestion.vectors.index import drop_index, ensure_index, has_index
from knowledge.library_version import everything_changed, model_in_use, models_beside
from knowledge.models import Chunk, ChunkEmbedding, IngestionJob, VectorSet
from knowledge.models.documents import VectorState
from knowledge.models.telemetry import JobKind
from llm import registry
from llm.conf import TOKEN_MARGIN
from llm.errors import ModelError
from llm.interfaces import EmbeddingModel

log = structlog.get_logger(__name__)


class WrongSet(IngestionError):
    """These vectors cannot be built, switched to or removed now; the message says what to do."""

    code = "wrong_vector_set"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetState:
    """The state of one model's vectors. `behind`: passages that searches find now and that have none of this model."""

    model: str
    dimensions: int
    in_use: bool
    used_since: datetime | None
    set_up: bool
    kept: bool
    vectors: int
    behind: int
    index: bool
    job: str | None

    @property
    def ready(self) -> bool:
        """Whether searches may be switched to it."""
        return self.kept and self.set_up and not self.in_use and not self.behind and self.vectors > 0

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ready": self.ready}


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorEstimate:
    """What building a set is expected to take. `cost_usd` is None if the model's price is not known."""

    model: str
    passages: int
    tokens: int
    requests: int
    cost_usd: float | None
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "told": duration_in_words(self.seconds)}


EmbedTexts = Callable[[EmbeddingModel], int]
_others: list[EmbedTexts] = []


def take_along(embed: EmbedTexts) -> None:
    """Let texts of an upper layer follow the model in use: `embed` makes their missing vectors of a model and raises
    ModelError. It is called before a switch."""
    if embed not in _others:
        _others.append(embed)


# --- what there is ------------------------------------------------------------


def vector_sets() -> list[SetState]:
    """The set in use first, then those beside it, then models that are set up without one, then remains of a removed
    set."""
    in_use = model_in_use()
    rows = {row.model: row for row in VectorSet.objects.all()}
    counted = dict(
        ChunkEmbedding.objects.filter(state=VectorState.CURRENT, chunk__retired_at__isnull=True)
        .order_by()
        .values_list("model")
        .annotate(number=Count("pk"))
    )
    names = dict.fromkeys([in_use, *rows, *registry.embedding_names(), *counted])
    states = []
    for name in names:
        row, job = rows.get(name), open_build(name)
        states.append(
            SetState(
                model=name,
                dimensions=row.dimensions if row else 0,
                in_use=name == in_use,
                used_since=row.used_since if row else None,
                set_up=name in registry.embedding_names(),
                kept=row is not None or name == in_use,
                vectors=counted.get(name, 0),
                behind=0 if name == in_use else chunks_behind(name, in_use).count(),
                index=has_index(name),
                job=str(job.pk) if job else None,
            )
        )
    return states


def open_build(name: str) -> IngestionJob | None:
    """The job that builds this model's vectors, if one waits or runs."""
    found = IngestionJob.objects.filter(kind=JobKind.VECTORS, options__model=name, state__in=OPEN_STATES)
    return found.order_by("-created_at").first()


def model_named(name: str) -> EmbeddingModel:
    """The model with this name. Raises WrongSet if it is not set up here."""
    if name not in registry.embedding_names():
        known = ", ".join(registry.embedding_names())
        hint = "Set OPENAI_API_KEY and OPENAI_EMBEDDING_MODEL, and start again."
        raise WrongSet(f"{name} is not set up here (set up: {known}). {hint}")
    return registry.embedding_model(name)


def kept_models(first: EmbeddingModel) -> Iterator[EmbeddingModel]:
    """The models of all kept sets, `first` last: a passage that it makes findable has all other vectors by then."""
    for name in models_beside():
        if name != first.name and name in registry.embedding_names():
            yield registry.embedding_model(name)
    yield first


def embed_kept(chunks: Sequence[Chunk], first: EmbeddingModel) -> None:
    """Make vectors of all kept sets for these chunks. Raises ModelError if `first` fails; another set that fails is
    only behind."""
    for model in kept_models(first):
        try:
            embed_chunks(chunks, model)
        except ModelError as error:
            if model is first:
                raise
            log.warning("vectors.set_behind", model=model.name, error=str(error))


def _keep_set(model: EmbeddingModel) -> VectorSet:
    row, _ = VectorSet.objects.get_or_create(
        model=model.name,
        defaults={"dimensions": model.dimensions, "in_use": False, "used_since": None},
    )
    return row


def keep_first_set(model: EmbeddingModel) -> None:
    """Pin the model of a library that gets its first vectors: changing the setting has no effect from then on."""
    if not VectorSet.objects.filter(in_use=True).exists():
        with transaction.atomic():
            row = _keep_set(model)
            if not VectorSet.objects.select_for_update().filter(in_use=True).exists():
                VectorSet.objects.filter(pk=row.pk).update(in_use=True, used_since=Now())


# --- building ------------------------------------------------------------


def estimate_set(name: str) -> VectorEstimate:
    """What is left to embed for this model, and what that takes. Raises WrongSet."""
    model = model_named(name)
    behind = chunks_behind(name, model_in_use()).order_by()
    found = behind.aggregate(passages=Count("pk"), tokens=Sum("tokens"))
    # Passages are counted in tokens of the model in use, most often the local one.
    margin = TOKEN_MARGIN if model.external else 1.0
    tokens = round((found["tokens"] or 0) * conf.EMBEDDED_SHARE * margin)
    passages = found["passages"]
    requests = -(-passages // conf.EMBED_BATCH) if model.external else 0
    rate = measured_rates(model)[EMBEDDING[1]]
    return VectorEstimate(
        model=name,
        passages=passages,
        tokens=tokens,
        requests=requests,
        cost_usd=cost_of(tokens, price_of(name)),
        seconds=round(tokens * rate, 1),
    )


def price_of(name: str) -> float | None:
    """US dollars for a million tokens; None if unknown."""
    found: float | None = settings.EMBEDDING_PRICES.get(name)
    return found


def build_set(name: str, *, created_by: Any = None, wake: bool = True) -> IngestionJob:
    """A job that builds this model's vectors beside those in use, the open one if there is one. Raises WrongSet."""
    model = model_named(name)
    if name == model_in_use():
        raise WrongSet(f"Searches use {name} already.")
    estimate = estimate_set(name)
    with transaction.atomic():
        _keep_set(model)
        VectorSet.objects.select_for_update().get(model=name)
        job = open_build(name) or IngestionJob.objects.create(
            kind=JobKind.VECTORS,
            source_name=f"Vectors of {name}",
            content_hash="",
            options={"model": name},
            estimate=estimate.to_dict(),
            large=True,
            created_by=created_by,
        )
        if wake:
            transaction.on_commit(lambda: wake_worker(job))
    return job


def index_set(model: EmbeddingModel) -> None:
    """Make the index that searches of this model need."""
    ensure_index(model.name, model.dimensions)


# --- switching and removing ------------------------------------------------------------


def switch_to_set(name: str) -> str:
    """Let searches read this model's vectors from the end of the transaction on; returns the model they read before.
    Raises WrongSet while a passage that can be found now has no vector of it, or what is taken along cannot get one."""
    model = model_named(name)
    if name in models_beside():
        try:
            for embed in _others:
                embed(model)
        except ModelError as error:
            raise WrongSet(
                f"{name} made no vectors of the European rules ({error.code}). Try again later."
            ) from error
    with transaction.atomic():
        rows = {row.model: row for row in VectorSet.objects.select_for_update().order_by("pk")}
        before = model_in_use()
        if name == before:
            raise WrongSet(f"Searches use {name} already.")
        if name not in rows:
            raise WrongSet(f"There are no vectors of {name}. Build them first.")
        behind = chunks_behind(name, before).count()
        if behind:
            raise WrongSet(f"{behind} passages have no vector of {name} yet. Build them first.")
        VectorSet.objects.filter(in_use=True).update(in_use=False)
        VectorSet.objects.filter(model=name).update(in_use=True, used_since=Now())
        everything_changed()
    return before


def remove_set(name: str) -> int:
    """Delete the vectors of a model that is not in use; returns how many. They stay in the cache, so building them
    again needs no request for unchanged texts. Raises WrongSet."""
    with transaction.atomic():
        row = VectorSet.objects.select_for_update().filter(model=name).first()
        if name == model_in_use():
            raise WrongSet(f"Searches use {name}. Switch to another model first.")
        if open_build(name):
            raise WrongSet(f"The vectors of {name} are being built. Cancel that job first.")
        if row is not None:
            row.delete()
    removed = 0
    while ids := list(
        ChunkEmbedding.objects.filter(model=name)
        .order_by("pk")
        .values_list("pk", flat=True)[: conf.REMOVE_BATCH]
    ):
        removed += ChunkEmbedding.objects.filter(pk__in=ids).delete()[0]
    drop_index(name)
    return removed
