"""The environment becomes plain settings: every variable the system reads, with its default and its meaning.

Knows nothing of Django. A value that cannot be read is reported by `heydpe.checks`, not raised here, so that one
command can list everything that is wrong.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from knowledge.conf import LEASE_SECONDS
from knowledge.ingestion.chunking.strategies import MEASURED, Strategy, UnknownStrategy, strategy_named
from llm.conf import (
    ANTHROPIC_MODEL,
    CALLS_PER_SCHOOL,
    CALLS_PER_STUDENT,
    COHERE_MODEL,
    OPENAI_EMBEDDING_MODEL,
    OPENAI_MODEL,
    OPENAI_RERANK_MODEL,
    PRICES_USD,
)

NO_SECRET_KEY = "SECRET_KEY is not set. Set it to 50 random characters, the same for web, worker and beat."

BASE_DIR = Path(__file__).resolve().parent.parent

TRUE = {"1", "true", "yes", "on"}
PROVIDERS = ("offline", "anthropic", "openai")
EMBEDDING_PROVIDERS = ("local", "openai")
RERANKERS = ("none", "keyword", "late", "openai", "cohere")
SEARCH_BLENDS = ("measured", "seed")
RERANKER_KEYS = {"openai": "OPENAI_API_KEY", "cohere": "COHERE_API_KEY"}


@dataclass(frozen=True)
class Environment:
    """Paths are absolute. `problems` lists (variable, what is wrong, what to do)."""

    secret_key: str
    debug: bool
    allowed_hosts: tuple[str, ...]
    trusted_proxies: tuple[str, ...]
    metrics_token: str
    data_dir: Path
    database_url: str
    database_pooler: bool
    redis_url: str
    llm_provider: str
    anthropic_api_key: str
    anthropic_base_url: str
    anthropic_model: str
    openai_api_key: str
    openai_base_url: str
    openai_model: str
    openai_embedding_model: str
    openai_embedding_price: float | None
    chat_price: tuple[float, float] | None
    model_calls_per_student: int
    model_calls_per_school: int
    embedding_provider: str
    reranker: str
    search_blend: str
    openai_rerank_model: str
    cohere_api_key: str
    cohere_base_url: str
    cohere_model: str
    chunking: str
    demo_password: str
    library: str
    source_url: str
    answer_workers: int
    job_lease_seconds: int
    rules: dict[str, Any]
    problems: tuple[tuple[str, str, str], ...] = field(default=())

    @property
    def lacks_secret_key(self) -> bool:
        """Without DEBUG each process would make up a key of its own, and none would know the other's sessions; that of
        .env.example is known to everybody."""
        return not self.debug and (not self.secret_key or self.secret_key.startswith("change-me"))


def _flag(values: Mapping[str, str], name: str) -> bool:
    return values.get(name, "").strip().lower() in TRUE


def _provider(values: Mapping[str, str]) -> tuple[str, list[tuple[str, str, str]]]:
    asked = values.get("LLM_PROVIDER", "").strip().lower()
    keys = [name for name in ("anthropic", "openai") if values.get(f"{name.upper()}_API_KEY")]
    if asked and asked not in PROVIDERS:
        return "offline", [
            ("LLM_PROVIDER", f"“{asked}” is not known.", f"Use one of {', '.join(PROVIDERS)}.")
        ]
    if asked in ("anthropic", "openai") and asked not in keys:
        key = f"{asked.upper()}_API_KEY"
        return "offline", [
            ("LLM_PROVIDER", f"is {asked}, but {key} is not set.", f"Set {key} or use offline.")
        ]
    if asked:
        return asked, []
    if len(keys) > 1:
        hint = "Set LLM_PROVIDER to anthropic or openai."
        return "offline", [("LLM_PROVIDER", "is not set and there are keys of two vendors.", hint)]
    return (keys[0] if keys else "offline"), []


def _embedding_provider(values: Mapping[str, str]) -> tuple[str, list[tuple[str, str, str]]]:
    asked = values.get("EMBEDDING_PROVIDER", "").strip().lower() or "local"
    if asked not in EMBEDDING_PROVIDERS:
        hint = f"Use one of {', '.join(EMBEDDING_PROVIDERS)}."
        return "local", [("EMBEDDING_PROVIDER", f"“{asked}” is not known.", hint)]
    if asked == "openai" and not values.get("OPENAI_API_KEY"):
        return "local", [("EMBEDDING_PROVIDER", "is openai, but OPENAI_API_KEY is not set.", "Set the key.")]
    return asked, []


def _reranker(values: Mapping[str, str]) -> tuple[str, list[tuple[str, str, str]]]:
    """`late`, the best that was measured, where nothing is set; none where what is set cannot be had."""
    asked = values.get("RERANKER", "").strip().lower() or "late"
    if asked not in RERANKERS:
        hint = f"Use one of {', '.join(RERANKERS)}; left out it is late."
        return "none", [("RERANKER", f"“{asked}” is not known.", hint)]
    key = RERANKER_KEYS.get(asked)
    if key and not values.get(key):
        return "none", [("RERANKER", f"is {asked}, but {key} is not set.", f"Set {key} or use late.")]
    return asked, []


def _search_blend(values: Mapping[str, str]) -> tuple[str, list[tuple[str, str, str]]]:
    asked = values.get("SEARCH_BLEND", "").strip().lower() or "measured"
    if asked not in SEARCH_BLENDS:
        hint = f"Use one of {', '.join(SEARCH_BLENDS)}; left out it is measured."
        return "measured", [("SEARCH_BLEND", f"“{asked}” is not known.", hint)]
    return asked, []


def _chunking(values: Mapping[str, str]) -> tuple[str, list[tuple[str, str, str]]]:
    asked = values.get("CHUNKING", "").strip() or "fixed"
    try:
        return asked if asked == MEASURED else strategy_named(asked).label, []
    except UnknownStrategy as error:
        return Strategy().label, [("CHUNKING", str(error), "Leave it out for fixed chunks of 800 tokens.")]


def _whole_number(
    values: Mapping[str, str], name: str, default: int
) -> tuple[int, list[tuple[str, str, str]]]:
    raw = values.get(name, "").strip()
    if not raw:
        return default, []
    if not raw.isdecimal() or int(raw) < 1:
        return default, [(name, f"“{raw}” is not a whole number above 0.", f"Leave it out for {default}.")]
    return int(raw), []


def _price(
    values: Mapping[str, str], name: str, model: str
) -> tuple[float | None, list[tuple[str, str, str]]]:
    """US dollars for a million tokens: as set, else as known for the model, else None."""
    raw, known = values.get(name, "").strip(), PRICES_USD.get(model)
    if not raw:
        return known, []
    try:
        price = float(raw)
    except ValueError:
        price = -1.0
    if not 0 <= price < float("inf"):
        return known, [(name, f"“{raw}” is no price.", "Set US dollars for a million tokens, as 0.02.")]
    return price, []


def _chat_price(
    values: Mapping[str, str], name: str
) -> tuple[tuple[float, float] | None, list[tuple[str, str, str]]]:
    """US dollars for a million tokens read and written, parted by a stroke; None is unknown."""
    raw = values.get(name, "").strip()
    if not raw:
        return None, []
    try:
        read, written = (float(part) for part in raw.split("/"))
    except ValueError:
        read = written = -1.0
    if not (0 <= read < float("inf") and 0 <= written < float("inf")):
        return None, [
            (name, f"“{raw}” is no price.", "Set what a million tokens read and written cost, as 3/15.")
        ]
    return (read, written), []


def _proxies(values: Mapping[str, str]) -> tuple[tuple[str, ...], list[tuple[str, str, str]]]:
    """Addresses and networks; one that cannot be read is left out, so that nothing is believed by mistake."""
    known, problems = [], []
    for name in filter(None, (part.strip() for part in values.get("TRUSTED_PROXIES", "").split(","))):
        try:
            ip_network(name)
        except ValueError:
            hint = "Set addresses or networks, parted by commas, such as 10.0.0.5,172.18.0.0/16."
            problems.append(("TRUSTED_PROXIES", f"“{name}” is no address and no network.", hint))
        else:
            known.append(name)
    return tuple(known), problems


def _rules(values: Mapping[str, str]) -> tuple[dict[str, Any], list[tuple[str, str, str]]]:
    """What differs from the defaults of the rules desk: a JSON object, or a file of one."""
    raw = values.get("HEYDPE_RULES", "").strip()
    if not raw:
        return {}, []
    try:
        said = json.loads(raw if raw.startswith("{") else Path(raw).read_text("utf-8"))
    except (OSError, ValueError) as error:
        said = error
    if isinstance(said, dict):
        return said, []
    hint = (
        'Set an object such as {"comparison": {"max_questions": 20}}, or the path of a file that holds one.'
    )
    return {}, [("HEYDPE_RULES", "is no JSON object and no file of one.", hint)]


def read_environment(values: Mapping[str, str] = os.environ) -> Environment:
    """The environment as it stands; never raises."""
    provider, provider_problems = _provider(values)
    embedding, embedding_problems = _embedding_provider(values)
    workers, worker_problems = _whole_number(values, "ANSWER_WORKERS", 64)
    lease, lease_problems = _whole_number(values, "JOB_LEASE_SECONDS", LEASE_SECONDS)
    reranker, reranker_problems = _reranker(values)
    blend, blend_problems = _search_blend(values)
    chunking, chunking_problems = _chunking(values)
    embedding_model = values.get("OPENAI_EMBEDDING_MODEL") or OPENAI_EMBEDDING_MODEL
    price, price_problems = _price(values, "OPENAI_EMBEDDING_PRICE", embedding_model)
    chat_price, chat_price_problems = _chat_price(values, "CHAT_PRICE")
    rules, rules_problems = _rules(values)
    proxies, proxy_problems = _proxies(values)
    student, student_problems = _whole_number(values, "MODEL_CALLS_PER_STUDENT", CALLS_PER_STUDENT)
    school, school_problems = _whole_number(values, "MODEL_CALLS_PER_SCHOOL", CALLS_PER_SCHOOL)
    debug = _flag(values, "DEBUG")
    hosts = [host.strip() for host in values.get("ALLOWED_HOSTS", "").split(",") if host.strip()]
    return Environment(
        secret_key=values.get("SECRET_KEY", "").strip(),
        debug=debug,
        allowed_hosts=tuple(hosts or (["localhost", "127.0.0.1", "[::1]", "testserver"] if debug else [])),
        trusted_proxies=proxies,
        metrics_token=values.get("METRICS_TOKEN", "").strip(),
        data_dir=Path(values.get("HEYDPE_DATA_DIR") or BASE_DIR / "var").resolve(),
        database_url=values.get("DATABASE_URL", ""),
        database_pooler=_flag(values, "DATABASE_POOLER"),
        redis_url=values.get("REDIS_URL", ""),
        llm_provider=provider,
        anthropic_api_key=values.get("ANTHROPIC_API_KEY", ""),
        anthropic_base_url=values.get("ANTHROPIC_BASE_URL", ""),
        anthropic_model=values.get("ANTHROPIC_MODEL") or ANTHROPIC_MODEL,
        openai_api_key=values.get("OPENAI_API_KEY", ""),
        openai_base_url=values.get("OPENAI_BASE_URL", ""),
        openai_model=values.get("OPENAI_MODEL") or OPENAI_MODEL,
        openai_embedding_model=embedding_model,
        openai_embedding_price=price,
        chat_price=chat_price,
        model_calls_per_student=student,
        model_calls_per_school=school,
        embedding_provider=embedding,
        reranker=reranker,
        search_blend=blend,
        openai_rerank_model=values.get("OPENAI_RERANK_MODEL") or OPENAI_RERANK_MODEL,
        cohere_api_key=values.get("COHERE_API_KEY", ""),
        cohere_base_url=values.get("COHERE_BASE_URL", ""),
        cohere_model=values.get("COHERE_MODEL") or COHERE_MODEL,
        chunking=chunking,
        demo_password=values.get("DEMO_PASSWORD") or "demo",
        library=values.get("HEYDPE_LIBRARY", ""),
        source_url=values.get("SOURCE_URL", ""),
        answer_workers=workers,
        job_lease_seconds=lease,
        rules=rules,
        problems=tuple(
            provider_problems
            + embedding_problems
            + reranker_problems
            + blend_problems
            + price_problems
            + chat_price_problems
            + chunking_problems
            + worker_problems
            + lease_problems
            + rules_problems
            + proxy_problems
            + student_problems
            + school_problems
        ),
    )
