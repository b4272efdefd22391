"""Django's settings, made from `heydpe.env` alone."""

from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.crypto import get_random_string

from knowledge import conf
from llm.conf import LOCAL_MODEL

from .celery import broker_url
from .env import BASE_DIR, read_environment
from .logs import logging_settings
from .postgresql.base import pool_options

ENV = read_environment()

DEBUG = ENV.debug
SECRET_KEY = ENV.secret_key or get_random_string(50)
ALLOWED_HOSTS = list(ENV.allowed_hosts)
DATA_DIR: Path = ENV.data_dir
DEMO_PASSWORD = ENV.demo_password
CHUNKING = ENV.chunking
RERANKER = ENV.reranker
JOB_LEASE_SECONDS = ENV.job_lease_seconds
STALLED_SECONDS = conf.STALLED_SECONDS
# The embedding model of a library without vectors; later it is a row (knowledge/library_version.py).
EMBEDDING_MODEL = LOCAL_MODEL if ENV.embedding_provider == "local" else ENV.openai_embedding_model
# US dollars for a million tokens; None is unknown.
EMBEDDING_PRICES: dict[str, float | None] = {
    LOCAL_MODEL: 0.0,
    ENV.openai_embedding_model: ENV.openai_embedding_price,
}
# The same for tokens that the chat model reads and writes.
CHAT_PRICE: tuple[float, float] | None = ENV.chat_price
# Calls to a vendor's chat model for one student, and for the students of one school, in a day.
MODEL_CALLS_PER_STUDENT = ENV.model_calls_per_student
MODEL_CALLS_PER_SCHOOL = ENV.model_calls_per_school

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "heydpe.apps.RolesAdmin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "django_prometheus",
    "waffle",
    "csp",
    "knowledge",
    "curation",
    "exams",
    "rules",
    "desk",
    "heydpe.apps.HouseConfig",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "desk.middleware.OwnPages",
    "desk.middleware.KeptByNobody",
    "desk.middleware.MembershipsReadOnce",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "waffle.middleware.WaffleMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "heydpe.urls"
ASGI_APPLICATION = "heydpe.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "desk.context.house",
            ]
        },
    }
]

# A pool, because each websocket message borrows a connection for a moment: 200 sockets with a query a message were
# four times quicker with it (`python -m benchmarks turn`). 40 is below the embedded server's max_connections.
DATABASES: dict[str, Any] = {
    "default": dj_database_url.parse(
        ENV.database_url or "postgresql://localhost/heydpe", engine="heydpe.postgresql"
    )
}
DATABASES["default"]["OPTIONS"] = {
    **DATABASES["default"].get("OPTIONS", {}),
    "pool": pool_options(max_size=40),
}
PREPARED_STATEMENTS = not ENV.database_pooler
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Seconds until a Redis that accepts and does not answer counts as away. A stalled disk costs it up to two; no client
# of ours asks it for anything that takes longer (Redis itself ends the worker's blocking read after one).
SOCKET_LIMITS = {"socket_timeout": 3.0, "socket_connect_timeout": 3.0}
REDIS_URL = ENV.redis_url or "redis://127.0.0.1:6379/0"
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "heydpe",
        "OPTIONS": SOCKET_LIMITS,
    },
    # What waffle caches for its own pages; the product reads flags from the database (knowledge/flags.py).
    "flags": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "flags", "TIMEOUT": 10},
    # Prefetched briefings and questions (exams/examiner/process_cache.py): about 20 KB each, for as long as a student
    # may think about an answer.
    "process": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "process",
        "TIMEOUT": 900,
        "OPTIONS": {"MAX_ENTRIES": 1000},
    },
}
WAFFLE_CACHE_NAME = "flags"
CHANNEL_LAYERS = {
    "default": {
        # The pub/sub layer: the core layer's blocking read closes sockets that idle for 5 s and stops at 100.
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": REDIS_URL, **SOCKET_LIMITS}], "prefix": "heydpe"},
    }
}

CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Kilobytes. A process of the pool that has more after a task is replaced by a fresh one, which costs a second. With
# Django and the local embedding model it has 290 MB, and a document of 2,500 pages leaves up to 40 more behind.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 340_000
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # Redis may be away for a night
# A worker gives up a connection whose other end is silent after twice these seconds.
CELERY_BROKER_TRANSPORT_OPTIONS = {**SOCKET_LIMITS, "health_check_interval": 10}
# What differs from the defaults of rules/configuration.py, in its names: {"comparison": {"max_questions": 20}}.
RULES: dict[str, Any] = ENV.rules
SWEEP_SECONDS = min(conf.SWEEP_SECONDS, JOB_LEASE_SECONDS / 2)


def run_every(seconds: float, task: str) -> dict[str, Any]:
    """A message that no worker takes within two turns is dropped, so that none pile up while no worker runs."""
    return {"task": task, "schedule": seconds, "options": {"expires": 2 * seconds}}


# The steps of each kind of job (knowledge/models/telemetry.py), where they are written.
JOB_STEPS = {
    "document": "knowledge.ingestion.pipeline.STEPS",
    "vectors": "knowledge.ingestion.pipeline.LIBRARY_STEPS",
    "claims": "curation.intake.CLAIM_STEPS",
    "items": "exams.bank.anchor_jobs.ITEM_STEPS",
    "standard": "knowledge.documents.standard_jobs.STANDARD_STEPS",
    "rules": "rules.data.rule_jobs.RULE_STEPS",
    "evaluation": "desk.operations.evaluation_jobs.EVALUATION_STEPS",
    "backup": "heydpe.backup_jobs.BACKUP_STEPS",
    "graph": "curation.graph.relation_jobs.RELATION_STEPS",
    "batch": "curation.oversight.batch_jobs.BATCH_STEPS",
}
CELERY_BEAT_SCHEDULE = {
    "sweep-ingestion": run_every(SWEEP_SECONDS, "knowledge.sweep_jobs"),
    "sweep-answers": run_every(20.0, "exams.sweep_answers"),
    "close-idle-exams": run_every(600.0, "exams.close_idle_exams"),
    "anchor-items": run_every(60.0, "exams.anchor_items"),
    "find-elements": run_every(60.0, "curation.find_elements"),
    "compare-arms": run_every(30.0, "exams.compare_arms"),
    "check-sample": run_every(60.0, "exams.check_sample"),
    "watch-look-ups": run_every(3600.0, "knowledge.watch_look_ups"),
    "embed-rules": run_every(60.0, "rules.embed_rules"),
    "list-overdue": run_every(3600.0, "knowledge.list_overdue"),
    "refresh-graph": run_every(60.0, "desk.refresh_graph"),
    "mail-invitations": run_every(60.0, "desk.mail_invitations"),
    "report-searches": run_every(6 * 3600.0, "desk.report_searches"),
    "verify-audit": run_every(6 * 3600.0, "curation.verify_audit"),
}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "desk.passwords.RevokeKeys"},
]
AUTHENTICATION_BACKENDS = ["desk.passwords.HouseAccounts"]
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/accounts/login/"

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_I18N = False
FORMAT_MODULE_PATH = "heydpe.formats"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = DATA_DIR / "media"
MEDIA_URL = "/media/"
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
# 100 MB: a handbook as one PDF may have 120 MB; such a one goes through `manage.py ingest` (knowledge/conf.py).
UPLOAD_LIMIT_BYTES = 100 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = conf.UPLOAD_FILES
# The most read of a body before its sender is known: that much text, each byte of it written as %XX.
BODY_LIMIT_BYTES = 3 * DATA_UPLOAD_MAX_MEMORY_SIZE
# The same for a signed-in operator who uploads: ten of the largest files at once.
UPLOAD_BODY_LIMIT_BYTES = 10 * UPLOAD_LIMIT_BYTES

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Invitations and password resets. Without EMAIL_URL they are printed in the log.
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if ENV.mail_server else 'console'}.EmailBackend"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = ENV.mail_from
EMAIL_TIMEOUT = 60  # seconds: some mail servers look for viruses before they answer
if ENV.mail_server:
    EMAIL_HOST, EMAIL_PORT = ENV.mail_server.host, ENV.mail_server.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = ENV.mail_server.user, ENV.mail_server.password
    EMAIL_USE_TLS = ENV.mail_server.scheme == "smtp+tls"
    EMAIL_USE_SSL = ENV.mail_server.scheme == "smtps"

PASSWORD_RESET_TIMEOUT = 24 * 3600  # seconds; Django's three days are long for a link that opens an account
SESSION_ENGINE = "knowledge.access.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not DEBUG
SECURE_SSL_REDIRECT = not DEBUG
SECURE_HSTS_SECONDS = 0 if DEBUG else 31_536_000
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not DEBUG
SECURE_REDIRECT_EXEMPT = [r"^healthz/$", r"^readyz/$", r"^metrics$"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "knowledge.access.signed_in.TokenSignIn",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PAGINATION_CLASS": "desk.api_limits.Pages",
    "PAGE_SIZE": 50,
    "DEFAULT_THROTTLE_CLASSES": [
        "desk.api_limits.AddressRate",
        "desk.api_limits.UserRate",
        "desk.api_limits.ScopeRate",
        "desk.api_limits.CostRate",
    ],
    # `cost` and `school_cost` are points of what requests cost (SEARCH_COST and the like in each app's conf.py): two
    # searches a second for a user who works hard, and for a school as much as ten of them.
    "DEFAULT_THROTTLE_RATES": {
        "anon": "60/min",
        "user": "600/min",
        "token": "10/min",
        "rules": "60/min",
        "cost": "120/min",
        "school_cost": "1200/min",
    },
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PARSER_CLASSES": [
        "desk.api_limits.ShallowJSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    # Answers in ASCII: an error can repeat a lone surrogate that a client sent, which UTF-8 cannot encode.
    "UNICODE_JSON": False,
    # Throttle by the connection's own address: anybody can write a header.
    "NUM_PROXIES": 0,
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "desk.errors.handle_api_exception",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "HeyDPE",
    "DESCRIPTION": "A practice oral exam for pilots that quotes its sources.",
    "VERSION": "1",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_NAME_OVERRIDES": {
        "DocumentStatus": "knowledge.models.documents.DocumentStatus",
        "ExamStatus": "exams.models.ExamStatus",
    },
}

WAFFLE_CREATE_MISSING_FLAGS = False
WAFFLE_LOG_MISSING_FLAGS = 40

UNFOLD = {"SITE_TITLE": "HeyDPE", "SITE_URL": "/", "SHOW_HISTORY": True, "SHOW_VIEW_ON_SITE": False}

PROMETHEUS_EXPORT_MIGRATIONS = False

LOGGING = logging_settings(debug=DEBUG)
