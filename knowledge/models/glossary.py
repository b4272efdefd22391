"""Short forms and their meanings: read from documents, written by operators, or built in."""

from django.conf import settings
from django.db import models

from .documents import Chunk
from .tenancy import school_field


class Spelling(models.TextChoices):
    """Where a row comes from."""

    BUILT_IN = "built_in", "known from the start"
    READ = "read", "read from a document"
    WRITTEN = "written", "written here"


class Abbreviation(models.Model):
    """A short form and one of its meanings. While it is active, searches expand it in both directions: a school's own
    serves that school's searches, one without a school serves all."""

    tenant = school_field(help_text="Empty: for every school.")
    short = models.CharField(max_length=20, help_text="As it is printed: METAR.")
    long = models.CharField(max_length=120, help_text="What it stands for: aviation routine weather report.")
    origin = models.CharField(max_length=10, choices=Spelling.choices, default=Spelling.WRITTEN)
    active = models.BooleanField(default=True)
    chunk = models.ForeignKey(
        Chunk,
        verbose_name="passage",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The passage that spells it out.",
    )
    quote = models.CharField(max_length=200, blank=True, help_text="The words that do.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["short", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "short", "long"], name="one_meaning_once", nulls_distinct=False
            ),
        ]

    def __str__(self) -> str:
        return f"{self.short}: {self.long}"
