"""Questions about flying in a country, each country's answers, and users' conversations.

A question is stored once; each country's answer is one row. A country that does not answer has no row, so "missing"
differs from every answer. All schools read rows without a tenant. A conversation belongs to one user.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from pgvector.django import VectorField

from knowledge.models import Tenant
from knowledge.models.tenancy import school_field


class Origin(models.TextChoices):
    FILE = "file"
    WRITTEN = "written"
    DEMO = "demo"


class RuleQuestion(models.Model):
    """`loaded_hash` is the hash of the file's own text, as with answers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tenant = school_field(related_name="rule_questions")
    key = models.CharField(max_length=500, help_text="The file's own name for it (question_id).")
    text = models.CharField(max_length=500, help_text="The question as it can be understood alone.")
    category = models.CharField(max_length=60)
    tags = models.JSONField(default=list, blank=True)
    position = models.PositiveIntegerField(default=0, help_text="Its place in the file.")
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.FILE, editable=False)
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "question"
        ordering = ["position", "key"]
        constraints = [
            models.UniqueConstraint(fields=["tenant", "key"], name="rule_question_once", nulls_distinct=False)
        ]

    def __str__(self) -> str:
        return self.text


class RuleAnswer(models.Model):
    """What one country answers: plain text, never empty. `loaded_hash` is the hash of the file's own answer. It shows
    whether the file or an operator changed the answer last, and is empty if no file has one."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(RuleQuestion, on_delete=models.CASCADE, related_name="answers")
    country = models.CharField(max_length=2, help_text="ISO 3166 alpha-2.")
    text = models.TextField()
    links = models.JSONField(default=list, blank=True)
    date_checked = models.DateField(null=True, blank=True, help_text="The day somebody last looked at it.")
    source_link = models.URLField(
        max_length=1000, blank=True, help_text="Where the rule itself is published."
    )
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.FILE)
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)
    version = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "answer"
        ordering = ["question", "country"]
        constraints = [
            models.UniqueConstraint(fields=["question", "country"], name="rule_answer_once"),
            models.CheckConstraint(condition=~Q(text=""), name="rule_answer_says_something"),
        ]
        indexes = [models.Index(fields=["country"], name="rule_answer_country")]

    def __str__(self) -> str:
        return f"{self.country}: {self.text[:80]}"


class ChangeKind(models.TextChoices):
    LOADED = "loaded"
    CHANGED = "changed"
    EDITED = "edited"
    REMOVED = "removed"


class RuleAnswerChange(models.Model):
    """One step in the history of an answer, with the text after it. Rows are only added. They outlive the answer, whose
    id is `answer`, so that its address still shows what it said."""

    tenant = school_field(related_name="+")
    question_key = models.CharField(max_length=500)
    country = models.CharField(max_length=2)
    answer = models.UUIDField(null=True, blank=True, editable=False)
    kind = models.CharField(max_length=10, choices=ChangeKind.choices)
    text = models.TextField(blank=True)
    links = models.JSONField(default=list, blank=True)
    date_checked = models.DateField(null=True, blank=True)
    source_link = models.URLField(max_length=1000, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "change of an answer"
        verbose_name_plural = "changes of answers"
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["question_key", "country"], name="rule_change_of_answer"),
            models.Index(fields=["answer"], name="rule_change_by_answer"),
        ]

    def __str__(self) -> str:
        return f"{self.country} {self.kind}: {self.question_key}"


class RuleQuestionChange(models.Model):
    """The same for a question that somebody wrote or edited here."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    question_key = models.CharField(max_length=500)
    kind = models.CharField(max_length=10, choices=ChangeKind.choices)
    text = models.CharField(max_length=500)
    category = models.CharField(max_length=60)
    tags = models.JSONField(default=list, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["question_key"], name="rule_change_of_question")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.question_key}"


class QuestionVector(models.Model):
    """The vector of a question under one model. `text_hash` is the hash of its text; a vector of another text is not
    used. There are only dozens of questions, so no index is needed."""

    question = models.ForeignKey(RuleQuestion, on_delete=models.CASCADE, related_name="vectors")
    model = models.CharField(max_length=80)
    vector = VectorField()
    text_hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["question"]
        constraints = [
            models.UniqueConstraint(fields=["question", "model"], name="rule_question_vector_once")
        ]

    def __str__(self) -> str:
        return f"{self.model} of {self.question_id}"


class AnswerVector(models.Model):
    """The same for an answer, for comparisons."""

    answer = models.ForeignKey(RuleAnswer, on_delete=models.CASCADE, related_name="vectors")
    model = models.CharField(max_length=80)
    vector = VectorField()
    text_hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["answer"]
        constraints = [models.UniqueConstraint(fields=["answer", "model"], name="rule_answer_vector_once")]

    def __str__(self) -> str:
        return f"{self.model} of {self.answer_id}"


class RuleConversation(models.Model):
    """What one user asked, one message after the other."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rule_conversations"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-updated_at"]
        indexes = [models.Index(fields=["user", "-updated_at"], name="rule_conversations_of_user")]

    def __str__(self) -> str:
        return f"{self.user_id}, {self.updated_at:%Y-%m-%d}"


class RuleTurn(models.Model):
    """A message with its answer as it was given; later changes of the rules do not change it. `countries` are those of
    the answer: recognized or, if `chosen`, set by hand."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(RuleConversation, on_delete=models.CASCADE, related_name="turns")
    position = models.PositiveIntegerField()
    message = models.TextField()
    countries = models.JSONField(default=list, blank=True)
    chosen = models.BooleanField(default=False)
    answer = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "position"], name="rule_turn_has_its_place")
        ]

    def __str__(self) -> str:
        return self.message[:80]
