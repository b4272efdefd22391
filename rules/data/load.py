"""Load a file of rules into rows: add new ones, update changed ones, withdraw missing ones.

The file is the truth about what it holds. An operator's edit is kept and reported until the file changes that answer.
Loading the same file again changes nothing.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import connection, transaction

from knowledge.library_version import library_changed
from knowledge.models import Tenant
from llm.interfaces import EmbeddingModel
from rules.data.parse import AnswerDraft, Finding, QuestionDraft, RulesFile
from rules.models import ChangeKind, Origin, RuleAnswer, RuleAnswerChange, RuleQuestion
from rules.search.vectors import embed_missing, text_hash

KEPT = "an answer written here was kept"
KEPT_QUESTION = "a question written here was kept"
GAVE_WAY = "a question edited here gave way to what the file says now"
LOCK = 0x4845_5255  # one load at a time: two would each miss what the other adds


@dataclass(frozen=True, slots=True)
class Step:
    """One answer that a load adds, changes or removes, with its text before and after; without a country, a question
    with its category and tags."""

    done: str
    question: str
    country: str
    before: str
    after: str


@dataclass(slots=True)
class Loaded:
    """What a load did to answers, step by step, and what happened to those that operators wrote."""

    counts: Counter[str] = field(default_factory=Counter)
    steps: list[Step] = field(default_factory=list)
    written: list[Finding] = field(default_factory=list)
    embedded: int = 0

    def to_dict(self) -> dict[str, Any]:
        names = ("added", "changed", "removed", "unchanged", "questions_changed", "questions_removed")
        return {
            **{name: self.counts[name] for name in names},
            "written": [asdict(one) for one in self.written],
            "embedded": self.embedded,
        }


def load_rules(
    file: RulesFile, model: EmbeddingModel, tenant: Tenant | None = None, origin: Origin = Origin.FILE
) -> Loaded:
    """Vectors are made after the rows are stored. If the model fails, loading again makes the missing ones. Raises
    ModelError."""
    loaded = store_rules(file, tenant, origin)
    loaded.embedded = embed_missing(model)
    if loaded.embedded:
        library_changed(tenant.pk if tenant else None)
    return loaded


def store_rules(
    file: RulesFile,
    tenant: Tenant | None = None,
    origin: Origin = Origin.FILE,
    *,
    by: Any = None,
    expected: str | None = None,
) -> Loaded:
    """Store the rows without their vectors. `by` is recorded as the person who loaded the file. Raises Outdated if the
    load would do something else than `expected`, the fingerprint of a preview."""
    with transaction.atomic():
        loaded = _store_rows(file, tenant, origin, by)
        if expected is not None and fingerprint(loaded) != expected:
            raise Outdated("The rules have changed since you looked. Check again what would change.")
        if loaded.counts["removed"] or loaded.counts["changed"]:
            library_changed(tenant.pk if tenant else None)
    return loaded


def preview_rules(file: RulesFile, tenant: Tenant | None = None) -> Loaded:
    """What loading the file would do now. Nothing is stored."""
    with transaction.atomic():
        loaded = _store_rows(file, tenant, Origin.FILE, None)
        transaction.set_rollback(True)
    return loaded


def fingerprint(loaded: Loaded) -> str:
    """The same for two loads that do the same."""
    return text_hash(repr((sorted(loaded.counts.items()), loaded.steps, loaded.written)))


class Outdated(Exception):
    """A load would not do what its preview said. Nothing was stored."""


def _store_rows(file: RulesFile, tenant: Tenant | None, origin: Origin, by: Any) -> Loaded:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    loaded = Loaded()
    _Load(tenant, loaded, origin, by).store(file)
    return loaded


class _Load:
    def __init__(self, tenant: Tenant | None, loaded: Loaded, origin: Origin, by: Any) -> None:
        self.tenant, self.loaded, self.origin, self.by = tenant, loaded, origin, by
        self.changes: list[RuleAnswerChange] = []

    def store(self, file: RulesFile) -> None:
        rows = RuleQuestion.objects.select_for_update().filter(tenant=self.tenant)
        known = {row.key: row for row in rows}
        for position, draft in enumerate(file.questions):
            row = self._store_question(draft, position, known.pop(draft.key, None))
            self._store_answers(row, draft.answers)
        for gone in known.values():
            # A question that went takes its answers along, except where somebody wrote it, or one of them, here.
            self._store_answers(gone, {})
            if gone.origin == Origin.WRITTEN:
                self.loaded.written.append(Finding(KEPT_QUESTION, gone.key, gone.text))
            elif not gone.answers.exists():
                gone.delete()
                self._note_question("removed", gone.text, _in_words(gone), "")
        RuleAnswerChange.objects.bulk_create(self.changes)

    def _store_question(self, draft: QuestionDraft, position: int, row: RuleQuestion | None) -> RuleQuestion:
        said = {
            "text": draft.text,
            "category": draft.category,
            "tags": list(draft.tags),
            "origin": self.origin,
            "loaded_hash": text_hash("\n".join((draft.text, draft.category, *draft.tags))),
            "position": position,
        }
        if row is None:
            return RuleQuestion.objects.create(tenant=self.tenant, key=draft.key, **said)
        if row.origin == Origin.WRITTEN:
            if row.loaded_hash in ("", said["loaded_hash"]):
                self.loaded.written.append(Finding(KEPT_QUESTION, row.key, row.text))
                said = {"position": position}
            else:
                self.loaded.written.append(Finding(GAVE_WAY, row.key, row.text))
        if any(getattr(row, name) != value for name, value in said.items()):
            before = _in_words(row)
            for name, value in said.items():
                setattr(row, name, value)
            row.save()
            if before != _in_words(row):
                self._note_question("changed", row.text, before, _in_words(row))
        return row

    def _note_question(self, done: str, text: str, before: str, after: str) -> None:
        self.loaded.counts[f"questions_{done}"] += 1
        self.loaded.steps.append(Step(done, text, "", before, after))

    def _store_answers(self, question: RuleQuestion, drafts: Mapping[str, AnswerDraft]) -> None:
        known = {row.country: row for row in question.answers.select_for_update()}
        for country, draft in drafts.items():
            self._store_answer(question, draft, known.pop(country, None))
        for row in known.values():
            if row.origin == Origin.WRITTEN:
                self._note_kept(question, row)
            else:
                self._record_change(question, row, ChangeKind.REMOVED, "removed", before=row.text)
                row.delete()

    def _store_answer(self, question: RuleQuestion, draft: AnswerDraft, row: RuleAnswer | None) -> None:
        checked = draft.date_checked.isoformat() if draft.date_checked else ""
        fresh = {
            "text": draft.text,
            "links": list(draft.links),
            "date_checked": draft.date_checked,
            "source_link": draft.source_link,
            "origin": self.origin,
            "loaded_hash": text_hash("\n".join((draft.text, *draft.links, checked, draft.source_link))),
        }
        if row is None:
            row = RuleAnswer.objects.create(question=question, country=draft.country, **fresh)
            self._record_change(question, row, ChangeKind.LOADED, "added")
        elif row.loaded_hash == fresh["loaded_hash"]:
            if row.origin == Origin.WRITTEN:
                self._note_kept(question, row)
            elif row.origin != self.origin:  # a demo's answer that the real table has, too
                row.origin = self.origin
                row.save(update_fields=["origin"])
            self.loaded.counts["unchanged"] += 1
        elif row.origin == Origin.WRITTEN and not row.loaded_hash:
            self._note_kept(question, row)
        else:
            if row.origin == Origin.WRITTEN:
                self._note_kept(question, row, "an answer edited here gave way to what the file says now")
            before = row.text
            for name, value in fresh.items():
                setattr(row, name, value)
            row.version += 1
            row.save()
            self._record_change(question, row, ChangeKind.CHANGED, "changed", before=before)

    def _note_kept(self, question: RuleQuestion, row: RuleAnswer, what: str = KEPT) -> None:
        where = f"{question.key} [{row.country}]"
        self.loaded.written.append(Finding(what, where, row.text[:200]))

    def _record_change(
        self, question: RuleQuestion, row: RuleAnswer, kind: ChangeKind, done: str, *, before: str = ""
    ) -> None:
        self.loaded.counts[done] += 1
        after = "" if kind == ChangeKind.REMOVED else row.text
        self.loaded.steps.append(Step(done, question.text, row.country, before, after))
        change = change_of(question, row, kind)
        change.by = self.by
        self.changes.append(change)


def _in_words(row: RuleQuestion) -> str:
    return f"{row.text} ({row.category}{''.join(f', {tag}' for tag in row.tags)})"


def change_of(question: RuleQuestion, row: RuleAnswer, kind: ChangeKind) -> RuleAnswerChange:
    """A history row of the answer as it is now, not yet stored."""
    return RuleAnswerChange(
        tenant_id=question.tenant_id,
        question_key=question.key,
        country=row.country,
        answer=row.pk,
        kind=kind,
        text=row.text,
        links=row.links,
        date_checked=row.date_checked,
        source_link=row.source_link,
    )
