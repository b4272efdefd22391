"""Schools and their people. A row whose tenant is null belongs to the shared library that everybody reads."""

from typing import Any

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models


class Tenant(models.Model):
    slug = models.SlugField(unique=True, max_length=63)
    name = models.CharField(max_length=200)
    model_calls = models.PositiveIntegerField(
        "model calls a day",
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Calls to vendors’ models that its students have together in a day (UTC). Empty: as many as every "
        "school, MODEL_CALLS_PER_SCHOOL.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "school"
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name


def school_field(**options: Any) -> "models.ForeignKey[Tenant | None, Tenant | None]":
    """The school that a row belongs to and goes with; null is the shared library. `options` are those of a field."""
    usual: dict[str, Any] = {
        "verbose_name": "school",
        "on_delete": models.CASCADE,
        "null": True,
        "blank": True,
    }
    return models.ForeignKey(Tenant, **(usual | options))


class Role(models.TextChoices):
    STUDENT = "student"
    REVIEWER = "reviewer"
    OPERATOR = "operator"
    INSTRUCTOR = "instructor"


class Membership(models.Model):
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    tenant = school_field(related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices)
    chosen_at = models.DateTimeField(
        null=True, editable=False
    )  # when its user last chose to act for the school

    class Meta:
        ordering = ["user_id", "role"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "tenant", "role"], name="membership_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.tenant or 'the shared library'}"
