"""Read the operator's settings for the rules desk into one validated value. Pure.

Names, nesting, and defaults are those of the desk's design (seed 003); a model or provider that is left out is the one
that the environment names for the whole product. An unknown name or an unusable value is refused with its path;
`rules.checks` reports it as a system check.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

# under which the registry has the desk's own reranker, if the configuration names one
RERANKER_ROLE = "rules"


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Routing(_Section):
    enabled: bool = True  # off: every question is taken for one about rules


class Reformulation(_Section):
    enabled: bool = True


class Retrieval(_Section):
    top_k: int = Field(default=5, ge=1, le=50)  # distinct questions given
    similarity_threshold: float = Field(default=0.3, ge=0, le=1)  # cosine; below it a question is not given
    rerank_candidates_multiplier: int = Field(default=2, ge=1, le=20)  # candidates for each one given


class Rag(_Section):
    embedding_model: str | None = None  # none: the model that the library's searches use
    retrieval: Retrieval = Retrieval()


class RerankerModel(_Section):
    model: str | None = Field(default=None, min_length=1)  # none: the environment's


class Reranking(_Section):
    enabled: bool = True
    # none: the one that is wired
    provider: Literal["none", "keyword", "late", "openai", "cohere"] | None = None
    cohere: RerankerModel = RerankerModel()
    openai: RerankerModel = RerankerModel()


class Comparison(_Section):
    max_questions: int = Field(default=15, ge=1, le=100)
    min_difference: float = Field(default=0.1, ge=0, le=1)  # 0 is alike, 1 has nothing in common


class Configuration(_Section):
    routing: Routing = Routing()
    query_reformulation: Reformulation = Reformulation()
    rag: Rag = Rag()
    reranking: Reranking = Reranking()
    comparison: Comparison = Comparison()


class WrongConfiguration(ValueError):
    """`faults` are (path, fault): ("comparison.max_questions", "Input should be…")."""

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"{place}: {what}" for place, what in faults))
        self.faults = faults


def configuration_from(values: Mapping[str, Any]) -> Configuration:
    """Settings that are left out have their defaults. Raises WrongConfiguration with all faults."""
    try:
        return Configuration.model_validate(values)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        faults = [(".".join(map(str, one["loc"])) or "the whole", one["msg"]) for one in found]
        raise WrongConfiguration(tuple(faults)) from error
