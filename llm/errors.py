"""The errors of models, and whether a retry may help.

Providers translate a vendor's exceptions into these, so that no layer above knows a vendor. Rows, logs and frames carry
`code`, which is stable; `retry_after` is the vendor's own figure in seconds, if it gave one.
"""

from __future__ import annotations

from typing import ClassVar


class ModelError(Exception):
    """The base of all. `retryable`: the same request may succeed later, unchanged."""

    code: ClassVar[str] = "model_error"
    retryable: ClassVar[bool] = False
    away: ClassVar[bool] = False
    """No request can be answered now: a service is down, or an operator must act."""

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RateLimited(ModelError):
    """The vendor asks us to slow down."""

    code = "model_rate_limited"
    retryable = True
    away = True


class Overloaded(ModelError):
    """The vendor is overloaded."""

    code = "model_overloaded"
    retryable = True
    away = True


class ServerFailed(ModelError):
    """The vendor failed while answering."""

    code = "model_failed"
    retryable = True
    away = True


class TimedOut(ModelError):
    """No complete answer came in time."""

    code = "model_timed_out"
    retryable = True
    away = True


class Unreachable(ModelError):
    """The vendor cannot be reached."""

    code = "model_unreachable"
    retryable = True
    away = True


class UnreadableReply(ModelError):
    """The answer is incomplete or not in the vendor's own form."""

    code = "model_unreadable"
    retryable = True


class BadKey(ModelError):
    """The key is missing, wrong, or may not do this: an operator must act."""

    code = "model_bad_key"
    away = True


class OutOfCredit(ModelError):
    """The account is not paid: an operator must act."""

    code = "model_out_of_credit"
    away = True


class BudgetSpent(ModelError):
    """The student or the school has used up the calls of today; `retry_after` is when there are new ones."""

    code = "model_budget_spent"
    away = True


class BadRequest(ModelError):
    """The vendor does not accept what we sent: a fault of ours or of the settings."""

    code = "model_bad_request"


class Refused(ModelError):
    """The model declined to answer."""

    code = "model_refused"


class Truncated(ModelError):
    """The answer was cut off at its length limit, so nothing in it is trusted."""

    code = "model_truncated"


class StructuredOutputError(ModelError):
    """The answer does not have the shape asked for, not even after one repair."""

    code = "model_wrong_shape"


class UnknownRole(ModelError):
    """No model, or no offline skill, is set up for this role."""

    code = "model_unknown_role"


class UnknownModel(ModelError):
    """The embedding model that was asked for, or that the library is searched with, is not set up here."""

    code = "model_unknown"


class SkillFailed(ModelError):
    """The offline model's own work raised or returned another shape."""

    code = "model_skill_failed"


class NotConfigured(ModelError):
    """`llm.registry.configure_models` was not called."""

    code = "model_not_configured"
    away = True


class LocalModelUnavailable(ModelError):
    """The embedding model of this machine cannot be made ready; the message says what to do."""

    code = "model_local_unavailable"
    away = True


class EmptyText(ModelError):
    """A text without a single token has no vector."""

    code = "model_empty_text"


class ExternalCallForbidden(ModelError):
    """A call would have left this machine where that is forbidden."""

    code = "model_external_forbidden"


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
