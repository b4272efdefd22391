"""The Airman Certification Standards as tables: a standard has areas, an area has tasks, a task has elements."""

from django.db import models


class Standard(models.Model):
    certificate = models.CharField(max_length=20, help_text="private, instrument, commercial…")
    number = models.CharField(max_length=40, unique=True, help_text="“FAA-S-ACS-6C”")
    title = models.CharField(max_length=300)
    edition_date = models.DateField(null=True, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)
    demo = models.BooleanField(default=False)
    current = models.BooleanField(
        default=True, help_text="The one standard of its certificate that exams use."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["certificate", "number"]

    def __str__(self) -> str:
        return self.number


class AcsArea(models.Model):
    standard = models.ForeignKey(Standard, on_delete=models.CASCADE, related_name="areas")
    numeral = models.CharField(max_length=8, help_text="Roman: “IX”.")
    title = models.CharField(max_length=200)
    order = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = "ACS Area"
        ordering = ["standard_id", "order"]
        constraints = [models.UniqueConstraint(fields=["standard", "numeral"], name="area_once")]

    def __str__(self) -> str:
        return f"{self.numeral}. {self.title}"


class AcsTask(models.Model):
    area = models.ForeignKey(AcsArea, on_delete=models.CASCADE, related_name="tasks")
    code = models.CharField(max_length=20, help_text="“PA.I.A”")
    letter = models.CharField(max_length=4)
    title = models.CharField(max_length=300)
    classes = models.JSONField(default=list, help_text="ASEL, AMEL, ASES, AMES; empty means all.")
    objective = models.TextField(blank=True)
    notes = models.JSONField(default=list, blank=True)
    references = models.JSONField(default=list, help_text='[{"document": "14 CFR", "section": "part 61"}]')
    page = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = "ACS Task"
        ordering = ["area_id", "code"]
        constraints = [models.UniqueConstraint(fields=["area", "letter"], name="task_once")]
        indexes = [models.Index(fields=["code"], name="task_code")]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"


class ElementKind(models.TextChoices):
    KNOWLEDGE = "knowledge"
    RISK = "risk"
    SKILL = "skill"


class Where(models.TextChoices):
    TABLE = "table"
    AIRPLANE = "airplane"


class AcsElement(models.Model):
    task = models.ForeignKey(AcsTask, on_delete=models.CASCADE, related_name="elements")
    parent = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="children"
    )
    code = models.CharField(max_length=24)
    kind = models.CharField(max_length=10, choices=ElementKind.choices)
    text = models.TextField()
    page = models.PositiveIntegerField(null=True, blank=True)
    edition = models.CharField(max_length=40)
    archived = models.BooleanField(default=False)
    where = models.CharField(max_length=10, choices=Where.choices, default=Where.TABLE)
    order = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = "ACS element"
        ordering = ["task_id", "order"]
        constraints = [models.UniqueConstraint(fields=["edition", "code"], name="element_once")]
        indexes = [models.Index(fields=["code"], name="element_code")]

    def __str__(self) -> str:
        return self.code
