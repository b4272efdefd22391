"""The errors of models, and whether a retry may help.

Providers translate a vendor's exceptions into these, so that no layer above knows a vendor. Rows, logs and frames carry
`code`, which is stable; `retry_after` is the vendor's own figure in seconds, if it gave one.
"""

from __future__ import annotations

from typing import ClassVar


class ModelError(Exception):
    """The base of all. `retryable`: the same request may succeed later, unchanged. `away`: no request can be answered
    now, since a service is down, or an operator must act."""

    code: ClassVar[str] = "model_error"
    retryable: ClassVar[bool] = False
    away: ClassVar[bool] = False

    def __init_subclass__(cls, *, code: str = "", retryable: bool = False, away: bool = False) -> None:
        if code:
            cls.code, cls.retryable, cls.away = code, retryable, away

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RateLimited(ModelError, code="model_rate_limited", retryable=True, away=True):
    """The vendor asks us to slow down."""


class Overloaded(ModelError, code="model_overloaded", retryable=True, away=True):
    """The vendor is overloaded."""


class ServerFailed(ModelError, code="model_failed", retryable=True, away=True):
    """The vendor failed while answering."""


class TimedOut(ModelError, code="model_timed_out", retryable=True, away=True):
    """No complete answer came in time."""


class Unreachable(ModelError, code="model_unreachable", retryable=True, away=True):
    """The vendor cannot be reached."""


class UnreadableReply(ModelError, code="model_unreadable", retryable=True):
    """The answer is incomplete or not in the vendor's own form."""


class BadKey(ModelError, code="model_bad_key", away=True):
    """The key is missing, wrong, or may not do this: an operator must act."""


class OutOfCredit(ModelError, code="model_out_of_credit", away=True):
    """The account is not paid: an operator must act."""


class BudgetSpent(ModelError, code="model_budget_spent", away=True):
    """The student, or (`of_school`) the school, has used up the calls of today; `retry_after` is when there are new
    ones."""

    def __init__(self, message: str, *, retry_after: float | None = None, of_school: bool = False) -> None:
        super().__init__(message, retry_after=retry_after)
        self.of_school = of_school


class BadRequest(ModelError, code="model_bad_request"):
    """The vendor does not accept what we sent: a fault of ours or of the settings."""


class Refused(ModelError, code="model_refused"):
    """The model declined to answer."""


class Truncated(ModelError, code="model_truncated"):
    """The answer was cut off at its length limit, so nothing in it is trusted."""


class StructuredOutputError(ModelError, code="model_wrong_shape"):
    """The answer does not have the shape asked for, not even after one repair."""


class UnknownRole(ModelError, code="model_unknown_role"):
    """No model, or no offline skill, is set up for this role."""


class UnknownModel(ModelError, code="model_unknown"):
    """The embedding model that was asked for, or that the library is searched with, is not set up here."""


class SkillFailed(ModelError, code="model_skill_failed"):
    """The offline model's own work raised or returned another shape."""


class NotConfigured(ModelError, code="model_not_configured", away=True):
    """`llm.registry.configure_models` was not called."""


class LocalModelUnavailable(ModelError, code="model_local_unavailable", away=True):
    """The embedding model of this machine cannot be made ready; the message says what to do."""


class EmptyText(ModelError, code="model_empty_text"):
    """A text without a single token has no vector."""


class ExternalCallForbidden(ModelError, code="model_external_forbidden"):
    """A call would have left this machine where that is forbidden."""


_BY_STATUS: dict[int, type[ModelError]] = {
    401: BadKey,
    402: OutOfCredit,
    403: BadKey,
    408: TimedOut,
    409: ServerFailed,
    429: RateLimited,
    503: Overloaded,
    504: TimedOut,
    529: Overloaded,
}


def error_for_status(status: int, message: str, *, retry_after: float | None = None) -> ModelError:
    """The error for an HTTP status that a vendor answered with."""
    other = ServerFailed if status >= 500 else BadRequest
    return _BY_STATUS.get(status, other)(message, retry_after=retry_after)
