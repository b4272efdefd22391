"""Every environment variable that the system reads, with its default.

Knows nothing of Django. A wrong value gives the default and a line in `problems`; `heydpe.checks` reports them, so that
one command can list everything that is wrong.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

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

Problem = tuple[str, str, str]

TRUE = {"1", "true", "yes", "on"}
PROVIDERS = ("offline", "anthropic", "openai")
EMBEDDING_PROVIDERS = ("local", "openai")
RERANKERS = ("none", "keyword", "late", "openai", "cohere")
VENDOR_KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "cohere": "COHERE_API_KEY"}


MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


@dataclass(frozen=True)
class MailServer:
    """`scheme` is one of MAIL_PORTS: plain, with STARTTLS, or TLS from the first byte."""

    scheme: str
    host: str
    port: int
    user: str
    password: str


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
    openai_rerank_model: str
    cohere_api_key: str
    cohere_base_url: str
    cohere_model: str
    chunking: str
    demo_password: str
    library: str
    source_url: str
    mail_server: MailServer | None
    mail_from: str
    answer_workers: int
    job_lease_seconds: int
    rules: dict[str, Any]
    problems: tuple[Problem, ...] = field(default=())

    @property
    def lacks_secret_key(self) -> bool:
        """Without DEBUG each process would make up a key of its own and not know the others' sessions; everybody knows
        the key in .env.example."""
        return not self.debug and (not self.secret_key or self.secret_key.startswith("change-me"))


class Reader:
    """Reads one variable at a time and collects the problems."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = values
        self.problems: list[Problem] = []

    def get_text(self, name: str, default: str = "") -> str:
        return self.values.get(name, "").strip() or default

    def get_flag(self, name: str) -> bool:
        return self.get_text(name).lower() in TRUE

    def get_list(self, name: str) -> list[str]:
        return [part.strip() for part in self.get_text(name).split(",") if part.strip()]

    def report(self, name: str, what: str, hint: str) -> None:
        self.problems.append((name, what, hint))

    def choose(self, name: str, choices: tuple[str, ...], default: str, fallback: str = "") -> str:
        """One of the choices; `fallback`, or the default, for an unknown one or one whose vendor's key is missing."""
        asked = self.get_text(name, default).lower()
        key = VENDOR_KEYS.get(asked)
        if asked not in choices:
            self.report(
                name, f"“{asked}” is not known.", f"Use one of {', '.join(choices)}, or leave it out."
            )
        elif key and not self.get_text(key):
            self.report(name, f"is {asked}, but {key} is not set.", f"Set {key} or use {default}.")
        else:
            return asked
        return fallback or default

    def choose_provider(self) -> str:
        keys = [vendor for vendor in ("anthropic", "openai") if self.get_text(VENDOR_KEYS[vendor])]
        if len(keys) > 1 and not self.get_text("LLM_PROVIDER"):
            hint = "Set LLM_PROVIDER to anthropic or openai."
            self.report("LLM_PROVIDER", "is not set and there are keys of two vendors.", hint)
            return "offline"
        if keys and not self.get_text("LLM_PROVIDER"):
            return keys[0]
        return self.choose("LLM_PROVIDER", PROVIDERS, "offline")

    def choose_chunking(self) -> str:
        asked = self.get_text("CHUNKING", "fixed")
        try:
            return asked if asked == MEASURED else strategy_named(asked).label
        except UnknownStrategy as error:
            self.report("CHUNKING", str(error), "Leave it out for fixed chunks of 800 tokens.")
            return Strategy().label

    def get_whole_number(self, name: str, default: int) -> int:
        raw = self.get_text(name)
        if raw and (not raw.isdecimal() or int(raw) < 1):
            self.report(name, f"“{raw}” is not a whole number above 0.", f"Leave it out for {default}.")
            return default
        return int(raw) if raw else default

    def get_prices(self, name: str, count: int, hint: str) -> tuple[float, ...] | None:
        """US dollars for a million tokens, separated by slashes; None if they are not set or not `count` prices."""
        raw = self.get_text(name)
        if not raw:
            return None
        try:
            prices = tuple(float(part) for part in raw.split("/"))
        except ValueError:
            prices = ()
        if len(prices) == count and all(0 <= price < float("inf") for price in prices):
            return prices
        self.report(name, f"“{raw}” is no price.", hint)
        return None

    def get_proxies(self) -> tuple[str, ...]:
        """Addresses and networks. An invalid one is left out, so that nobody is trusted by mistake."""
        known = []
        for name in self.get_list("TRUSTED_PROXIES"):
            try:
                ip_network(name)
            except ValueError:
                hint = "Set addresses or networks separated by commas, such as 10.0.0.5,172.18.0.0/16."
                self.report("TRUSTED_PROXIES", f"“{name}” is no address and no network.", hint)
            else:
                known.append(name)
        return tuple(known)

    def get_mail_server(self) -> MailServer | None:
        """None if mail is to be printed in the log."""
        raw = self.get_text("EMAIL_URL")
        if not raw:
            return None
        try:
            read = urlsplit(raw)
            port = read.port or MAIL_PORTS.get(read.scheme, 0)
        except ValueError:
            read, port = urlsplit(""), 0
        if read.scheme in MAIL_PORTS and read.hostname and port:
            user, password = unquote(read.username or ""), unquote(read.password or "")
            return MailServer(read.scheme, read.hostname, port, user, password)
        hint = "Set smtp+tls://USER:PASSWORD@HOST:587, smtps:// or smtp://, with %40 for an @ in the name."
        self.report("EMAIL_URL", "is no address of a mail server.", hint)
        return None

    def get_rules(self) -> dict[str, Any]:
        """What differs from the defaults of the rules desk: a JSON object, or the path of a file that holds one."""
        raw = self.get_text("HEYDPE_RULES", "{}")
        try:
            rules = json.loads(raw if raw.startswith("{") else Path(raw).read_text("utf-8"))
        except (OSError, ValueError):
            rules = None
        if isinstance(rules, dict):
            return rules
        hint = 'Set an object such as {"comparison": {"max_questions": 20}}, or the path of a file that holds one.'
        self.report("HEYDPE_RULES", "is no JSON object and no file of one.", hint)
        return {}


def read_environment(values: Mapping[str, str] = os.environ) -> Environment:
    """The current environment; never raises."""
    read = Reader(values)
    debug = read.get_flag("DEBUG")
    hosts = read.get_list("ALLOWED_HOSTS")
    embedding_model = read.get_text("OPENAI_EMBEDDING_MODEL", OPENAI_EMBEDDING_MODEL)
    price = read.get_prices("OPENAI_EMBEDDING_PRICE", 1, "Set US dollars for a million tokens, as 0.02.")
    chat = read.get_prices("CHAT_PRICE", 2, "Set what a million tokens read and written cost, as 3/15.")
    return Environment(
        secret_key=read.get_text("SECRET_KEY"),
        debug=debug,
        allowed_hosts=tuple(hosts or (["localhost", "127.0.0.1", "[::1]", "testserver"] if debug else [])),
        trusted_proxies=read.get_proxies(),
        metrics_token=read.get_text("METRICS_TOKEN"),
        data_dir=Path(read.get_text("HEYDPE_DATA_DIR") or BASE_DIR / "var").resolve(),
        database_url=read.get_text("DATABASE_URL"),
        database_pooler=read.get_flag("DATABASE_POOLER"),
        redis_url=read.get_text("REDIS_URL"),
        llm_provider=read.choose_provider(),
        anthropic_api_key=read.get_text("ANTHROPIC_API_KEY"),
        anthropic_base_url=read.get_text("ANTHROPIC_BASE_URL"),
        anthropic_model=read.get_text("ANTHROPIC_MODEL", ANTHROPIC_MODEL),
        openai_api_key=read.get_text("OPENAI_API_KEY"),
        openai_base_url=read.get_text("OPENAI_BASE_URL"),
        openai_model=read.get_text("OPENAI_MODEL", OPENAI_MODEL),
        openai_embedding_model=embedding_model,
        openai_embedding_price=price[0] if price else PRICES_USD.get(embedding_model),
        chat_price=(chat[0], chat[1]) if chat else None,
        model_calls_per_student=read.get_whole_number("MODEL_CALLS_PER_STUDENT", CALLS_PER_STUDENT),
        model_calls_per_school=read.get_whole_number("MODEL_CALLS_PER_SCHOOL", CALLS_PER_SCHOOL),
        embedding_provider=read.choose("EMBEDDING_PROVIDER", EMBEDDING_PROVIDERS, "local"),
        # `late` is the best that was measured; none if the chosen one is missing its key.
        reranker=read.choose("RERANKER", RERANKERS, "late", fallback="none"),
        openai_rerank_model=read.get_text("OPENAI_RERANK_MODEL", OPENAI_RERANK_MODEL),
        cohere_api_key=read.get_text("COHERE_API_KEY"),
        cohere_base_url=read.get_text("COHERE_BASE_URL"),
        cohere_model=read.get_text("COHERE_MODEL", COHERE_MODEL),
        chunking=read.choose_chunking(),
        demo_password=read.get_text("DEMO_PASSWORD", "demo"),
        library=read.get_text("HEYDPE_LIBRARY"),
        source_url=read.get_text("SOURCE_URL"),
        mail_server=read.get_mail_server(),
        mail_from=read.get_text("EMAIL_FROM", "heydpe@localhost"),
        answer_workers=read.get_whole_number("ANSWER_WORKERS", 64),
        job_lease_seconds=read.get_whole_number("JOB_LEASE_SECONDS", LEASE_SECONDS),
        rules=read.get_rules(),
        problems=tuple(read.problems),
    )
