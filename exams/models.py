"""The rows of an exam: plan and planner state, turns, answers, assessments, and every frame that was sent; and what a
student and the instructors of a school have to do with each other.

Invariants: `Exam.seq` is the number of the last stored frame; `Exam.epoch` is the connection that may write; the exam
and the client's own id identify an answer; a turn has at most one final assessment.
"""

import uuid
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.db.models.signals import post_delete
from django.dispatch import receiver

from exams.domain.grading import RESULT_WORDS
from exams.domain.planner import PlannerState
from exams.domain.qualification.papers import Qualification
from exams.domain.scenes.scene import Scene
from exams.domain.scope import Scope
from knowledge.models import Membership, Tenant
from knowledge.models.tenancy import Role
from knowledge.retrieval.search_log import forget_exam

WORDINGS_APART = 97
"""Turns by which two exams may differ in what is said at the same one."""


class ExamStatus(models.TextChoices):
    ACTIVE = "active"
    PAUSED = "paused"
    FINISHED = "finished", "finished by its plan"
    ENDED = "ended", "ended by the student"
    LEFT = "left", "ended when the student left the school"
    ABANDONED = "abandoned"


class PauseReason(models.TextChoices):
    """Why the server paused an exam; the label is what its student reads."""

    EXAMINER_AWAY = (
        "examiner_away",
        "The examiner cannot be reached just now. Your oral is paused; nothing is lost.",
    )
    BUDGET_SPENT = (
        "budget_spent",
        "Your own budget for today is used up. Your answer is kept, and this oral is paused: it goes on by itself "
        "after 00:00 UTC, when a new day's budget begins.",
    )
    SCHOOL_BUDGET_SPENT = (
        "school_budget_spent",
        "Your school's budget for today is used up. Your answer is kept, and this oral is paused: it goes on by itself "
        "after 00:00 UTC, when a new day's budget begins.",
    )
    NOT_ASSESSED = (
        "not_assessed",
        "Your answer could not be assessed. Your oral is paused; nothing is lost. Answer again to go on.",
    )


OPEN_STATUSES = (ExamStatus.ACTIVE, ExamStatus.PAUSED)


class Exam(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="exams")
    tenant = models.ForeignKey(Tenant, verbose_name="school", on_delete=models.CASCADE, null=True, blank=True)
    certificate = models.CharField(max_length=20)
    standard = models.CharField(max_length=40, help_text="The standard's number at the start.")
    aircraft_class = models.CharField(max_length=4, default="ASEL")
    mode = models.CharField(max_length=10, default="full")
    manner = models.CharField(max_length=10, default="coach")
    difficulty = models.CharField(max_length=10, default="standard")
    request = models.JSONField(default=dict, help_text="What was asked for when it was created.")
    scope = models.JSONField(default=dict, help_text="The Tasks and elements covered.")
    scene = models.JSONField(default=dict, blank=True, help_text="The flight that a mock oral is about.")
    qualification = models.JSONField(
        default=dict, blank=True, help_text="The papers that the oral opens with, and what came of them."
    )
    planner = models.JSONField(default=dict, help_text="Where the planner stands.")
    status = models.CharField(max_length=10, choices=ExamStatus.choices, default=ExamStatus.ACTIVE)
    pause_reason = models.CharField(
        max_length=20,
        choices=PauseReason.choices,
        blank=True,
        help_text="Why the server paused it; empty where the student did.",
    )
    seq = models.PositiveIntegerField(default=0)
    epoch = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    result = models.JSONField(null=True, blank=True)
    study = models.JSONField(
        default=dict,
        blank=True,
        help_text="By element: the passage to open first, as found when the exam ended.",
    )
    external_model = models.CharField(
        max_length=100,
        blank=True,
        help_text="The vendor's model that answers went to; empty when they stayed here.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    last_activity = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["student", "-created_at"], name="exam_student"),
            models.Index(fields=["status", "last_activity"], name="exam_idle"),
        ]

    def __str__(self) -> str:
        return f"{self.certificate} {self.aircraft_class} {self.mode} of {self.student}"

    @property
    def is_open(self) -> bool:
        return self.status in OPEN_STATUSES

    def read_scope(self) -> Scope:
        return Scope.from_dict(self.scope)

    def read_scene(self) -> Scene | None:
        return Scene.from_dict(self.scene) if self.scene else None

    def read_qualification(self) -> Qualification | None:
        return Qualification.from_dict(self.qualification) if self.qualification else None

    def read_planner(self) -> PlannerState:
        return PlannerState.from_dict(self.planner)

    @property
    def scope_title(self) -> str:
        return self.read_scope().title

    @property
    def result_words(self) -> str:
        return RESULT_WORDS[(self.result or {}).get("result", "incomplete")]


@receiver(post_delete, sender=Exam)
def forget_searches(instance: Exam, **_: Any) -> None:
    """Runs whenever an exam is deleted: by the student, by an operator, or with an account."""
    forget_exam(instance.pk)


class Turn(models.Model):
    """One thing the examiner said and wants an answer to."""

    exam = models.ForeignKey(Exam, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    element = models.CharField(max_length=24)
    task = models.CharField(max_length=20)
    kind = models.CharField(max_length=10)
    form = models.CharField(max_length=15, default="opening")
    attempt = models.PositiveSmallIntegerField(default=1)
    text = models.TextField()
    transition = models.TextField(blank=True)
    expectations = models.JSONField(default=list)
    context = models.JSONField(default=dict, help_text="The passages it stands on, with their versions.")
    citations = models.JSONField(default=list)
    images = models.JSONField(default=list)
    givens = models.JSONField(default=list, help_text="What lies on the table: name, value, kind.")
    item = models.CharField(max_length=90, blank=True, help_text="Key of the bank's item that it comes from.")
    rubric = models.JSONField(
        default=dict, help_text="Of the item: its second wording, its mix-ups, and why it matters."
    )
    provenance = models.JSONField(
        default=dict, help_text="provider, model, prompt version, evidence versions"
    )
    looked_up = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["exam_id", "number"]
        constraints = [models.UniqueConstraint(fields=["exam", "number"], name="turn_once")]

    def __str__(self) -> str:
        return f"{self.number}. {self.element} ({self.form})"

    @property
    def follows_up(self) -> bool:
        """Whether it asks again about something: the question with which an item goes on does not."""
        return self.form != "opening" and not self.rubric.get("goes_on")

    @property
    def wording(self) -> int:
        """Which of several wordings is said at this turn: the next one for the next turn, another one in another
        exam."""
        return self.number + self.exam_id.int % WORDINGS_APART


class Answer(models.Model):
    exam = models.ForeignKey(Exam, on_delete=models.CASCADE, related_name="answers")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="answers")
    client_id = models.CharField(max_length=64)
    text = models.TextField()
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["exam_id", "id"]
        constraints = [models.UniqueConstraint(fields=["exam", "client_id"], name="answer_id_once")]

    def __str__(self) -> str:
        return self.text[:80]


class Assessment(models.Model):
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="assessments")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="assessments")
    element = models.CharField(max_length=24)
    final = models.BooleanField(default=False)
    verdict = models.CharField(max_length=15)
    score = models.FloatField(null=True, blank=True)
    feedback = models.TextField(blank=True)
    points = models.JSONField(default=list)
    citations = models.JSONField(default=list)
    near = models.JSONField(
        default=list,
        help_text="Citations of what the library says nearest to the answer; the verdict does not rest on them.",
    )
    degraded = models.CharField(max_length=300, blank=True)
    decision = models.JSONField(default=dict)
    provenance = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["turn_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["turn"], condition=Q(final=True), name="one_final_assessment")
        ]

    def __str__(self) -> str:
        return f"{self.element}: {self.verdict}"


class Frame(models.Model):
    """What was sent to the student, in order; replayed on resume."""

    exam = models.ForeignKey(Exam, on_delete=models.CASCADE, related_name="frames")
    seq = models.PositiveIntegerField()
    type = models.CharField(max_length=15)
    payload = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["exam_id", "seq"]
        constraints = [models.UniqueConstraint(fields=["exam", "seq"], name="frame_once")]

    def __str__(self) -> str:
        return f"{self.seq} {self.type}"


class Dispute(models.Model):
    """A student's “I disagree”, or a statement that the sample found unsupported, for a reviewer to decide."""

    exam = models.ForeignKey(Exam, on_delete=models.CASCADE, related_name="disputes")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="disputes")
    note = models.TextField(blank=True)
    by_sample = models.BooleanField(
        "raised by the sample",
        default=False,
        help_text="No student disagrees: a source may not support its statement.",
    )
    resolved = models.BooleanField(default=False)
    resolution = models.TextField(
        blank=True, help_text="Kept if the student deletes the exam: name nobody and quote no answer."
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name="decided by",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.UniqueConstraint(fields=["turn"], name="dispute_once")]

    def __str__(self) -> str:
        """Without the student's words, because the admin's log of changes keeps this forever."""
        return str(self.turn)


class CheckedExchange(models.Model):
    """An exchange of the sample: what was stated in it, and whether its sources support that. It holds no word of the
    student's."""

    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="checked")
    asked_at = models.DateTimeField(help_text="When the exchange took place.")
    statements = models.JSONField(default=list, help_text="Each with its sources, finding, and reasons.")
    refused = ArrayField(
        models.CharField(max_length=64), default=list, help_text="Digests of statements without support."
    )
    checker = models.JSONField(default=dict, help_text="Versions of the check and of the model that read it.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-asked_at"]
        indexes = [
            models.Index(fields=["asked_at"], name="checked_day"),
            GinIndex(fields=["refused"], name="checked_refused"),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}: {len(self.refused)} of {len(self.statements)} refused"


class DecidedDispute(models.Model):
    """A reviewer's decision whose exam its student deleted: the question and what was expected, no more."""

    tenant = models.ForeignKey(Tenant, verbose_name="school", on_delete=models.CASCADE, null=True, blank=True)
    element = models.CharField(max_length=24)
    question = models.TextField()
    expectations = models.JSONField(default=list)
    resolution = models.TextField(blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.element}: {self.question[:60]}"


class Rating(models.Model):
    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="rating")
    fair = models.BooleanField()
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return "fair" if self.fair else "unfair"


class Mastery(models.Model):
    """One student's estimate for one element, over all exams that count."""

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mastery")
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, null=True, blank=True)
    certificate = models.CharField(max_length=20)
    element = models.CharField(max_length=24)
    estimate = models.FloatField(help_text="0 to 1")
    attempts = models.PositiveIntegerField(default=0, help_text="Scored attempts.")
    last_verdict = models.CharField(max_length=15, blank=True)
    by_mention = models.BooleanField(default=False)
    stability = models.FloatField(
        null=True, blank=True, help_text="Days until it is known with 90 percent, by FSRS."
    )
    difficulty = models.FloatField(null=True, blank=True, help_text="1 to 10, by FSRS.")
    reviewed_at = models.DateTimeField(null=True, blank=True, help_text="When it was last answered.")
    due = models.DateTimeField(null=True, blank=True, help_text="When to ask it again.")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["student_id", "element"]
        constraints = [
            models.UniqueConstraint(
                fields=["student", "tenant", "certificate", "element"],
                name="mastery_once",
                nulls_distinct=False,
            )
        ]

    def __str__(self) -> str:
        return f"{self.element}: {self.estimate:.2f}"


# --- instruction: rows of a student and the instructors of a school ---------------------------------------------


class SharedPractice(models.Model):
    """A student's consent that the instructors of a school see the practice there; withdrawn, the row is gone."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shared_practice"
    )
    tenant = models.ForeignKey(Tenant, verbose_name="school", on_delete=models.CASCADE)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["student_id", "tenant_id"]
        constraints = [models.UniqueConstraint(fields=["student", "tenant"], name="shared_once")]

    def __str__(self) -> str:
        return f"{self.student} with {self.tenant}"


@receiver(post_delete, sender=Membership)
def withdraw_consent(instance: Membership, **_: Any) -> None:
    """Whoever is no student of a school any more shares nothing there, also after coming back."""
    if instance.role == Role.STUDENT and instance.tenant_id:
        SharedPractice.objects.filter(student=instance.user_id, tenant=instance.tenant_id).delete()


class Look(models.Model):
    """An instructor has opened a student's page, or the report of an oral; one row an hour, for the student to read.

    `oral` is an exam's id and no foreign key: the row stays when the student deletes the exam.
    """

    viewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="looked_at")
    tenant = models.ForeignKey(Tenant, verbose_name="school", on_delete=models.CASCADE)
    oral = models.UUIDField(null=True, blank=True)
    hour = models.DateTimeField(help_text="The full hour in which it was first opened.")

    class Meta:
        ordering = ["-hour", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["student", "viewer", "tenant", "oral", "hour"], name="look_once", nulls_distinct=False
            )
        ]

    def __str__(self) -> str:
        return f"{self.viewer}, {self.hour:%Y-%m-%d %H:00}"


class Comment(models.Model):
    """What an instructor writes on an oral, or on one exchange of it."""

    exam = models.ForeignKey(Exam, on_delete=models.CASCADE, related_name="comments")
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, null=True, blank=True, related_name="comments")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    text = models.TextField()
    written_at = models.DateTimeField(auto_now=True)
    read_at = models.DateTimeField(null=True, blank=True, help_text="When its student opened the report.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.text[:60]


class Assignment(models.Model):
    """A practice oral that an instructor assigns. `order` is an exam's request, `exam` the oral begun by it."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignments"
    )
    tenant = models.ForeignKey(Tenant, verbose_name="school", on_delete=models.CASCADE)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    order = models.JSONField()
    covered = models.CharField(max_length=1000, help_text="What it asks, in words, when it was assigned.")
    questions = models.PositiveSmallIntegerField(help_text="How many it asks, when it was assigned.")
    note = models.CharField(max_length=500, blank=True)
    due = models.DateField(null=True, blank=True)
    exam = models.ForeignKey(
        Exam, on_delete=models.SET_NULL, null=True, blank=True, related_name="assignments"
    )
    dismissed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.covered
