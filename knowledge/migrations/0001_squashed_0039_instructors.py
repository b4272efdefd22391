"""All tables of the library in one step, for a new database; one that has taken the steps before keeps them."""

import uuid
from importlib import import_module

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import pgvector.django.vector
from django.conf import settings
from django.db import migrations, models
from pgvector.django import VectorExtension

_STEPS = {
    name: import_module(f"knowledge.migrations.{name}").Migration.operations
    for name in ("0002_vector_indexes", "0014_words", "0015_better_vector_indexes")
}


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("knowledge", "0001_library"),
        ("knowledge", "0002_vector_indexes"),
        ("knowledge", "0003_editions"),
        ("knowledge", "0004_currency_reports"),
        ("knowledge", "0005_written_documents"),
        ("knowledge", "0006_recognised_pages"),
        ("knowledge", "0007_vector_sets"),
        ("knowledge", "0008_job_estimates"),
        ("knowledge", "0009_retrieval_records"),
        ("knowledge", "0010_model_use"),
        ("knowledge", "0011_look_ups"),
        ("knowledge", "0012_flags"),
        ("knowledge", "0013_arms_and_notes"),
        ("knowledge", "0014_words"),
        ("knowledge", "0015_better_vector_indexes"),
        ("knowledge", "0016_glossary"),
        ("knowledge", "0019_model_call_counts"),
        ("knowledge", "0020_item_bank"),
        ("knowledge", "0021_free_questions"),
        ("knowledge", "0022_link_reasons"),
        ("knowledge", "0023_help_texts"),
        ("knowledge", "0024_vector_state"),
        ("knowledge", "0025_chunk_standard"),
        ("knowledge", "0026_job_kinds"),
        ("knowledge", "0027_claims_waiting"),
        ("knowledge", "0028_model_spending"),
        ("knowledge", "0029_graph_origins"),
        ("knowledge", "0030_trash_and_history"),
        ("knowledge", "0031_accounts"),
        ("knowledge", "0032_tokens_as_keys"),
        ("knowledge", "0033_origin_of_points"),
        ("knowledge", "0034_kinds_of_the_desk"),
        ("knowledge", "0035_chapters"),
        ("knowledge", "0036_words_of_people"),
        ("knowledge", "0037_labels_of_arms"),
        ("knowledge", "0038_items_on_trips"),
        ("knowledge", "0039_instructors"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        VectorExtension(),
        migrations.CreateModel(
            name="AcsArea",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("numeral", models.CharField(help_text="Roman: “IX”.", max_length=8)),
                ("title", models.CharField(max_length=200)),
                ("order", models.PositiveSmallIntegerField()),
            ],
            options={
                "verbose_name": "ACS Area",
                "ordering": ["standard_id", "order"],
            },
        ),
        migrations.CreateModel(
            name="Chunk",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("index", models.PositiveIntegerField()),
                ("heading", models.CharField(blank=True, max_length=300)),
                ("section_path", models.JSONField(blank=True, default=list)),
                (
                    "section",
                    models.CharField(blank=True, help_text="“91.155”, “3-2-6”, “10.1”.", max_length=40),
                ),
                ("anchor", models.CharField(blank=True, max_length=120)),
                ("text", models.TextField()),
                ("page_start", models.PositiveIntegerField(blank=True, null=True)),
                ("page_end", models.PositiveIntegerField(blank=True, null=True)),
                ("page_label", models.CharField(blank=True, max_length=20)),
                ("lines", models.JSONField(blank=True, default=list)),
                ("tokens", models.PositiveIntegerField(default=0)),
                (
                    "kind",
                    models.CharField(default="body", help_text="body, toc, index, table", max_length=10),
                ),
                ("content_hash", models.CharField(max_length=64)),
                (
                    "search_vector",
                    django.contrib.postgres.search.SearchVectorField(editable=False, null=True),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "retired_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Divided anew since: not searched, but citations of it still open.",
                        null=True,
                    ),
                ),
            ],
            options={
                "verbose_name": "passage",
                "ordering": ["document_id", "index"],
            },
        ),
        migrations.CreateModel(
            name="Concept",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("key", models.CharField(max_length=200)),
                (
                    "name",
                    models.TextField(help_text="A claim's statement, an element's text, a topic's title."),
                ),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("acs_element", "ACS element"),
                            ("topic", "Topic"),
                            ("regulatory_claim", "regulatory claim"),
                            ("definition", "Definition"),
                            ("procedure", "Procedure"),
                            ("artifact", "Artifact"),
                            ("misconception", "Misconception"),
                        ],
                        max_length=20,
                    ),
                ),
                ("key_facts", models.JSONField(blank=True, default=dict)),
                (
                    "validation_status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("validated", "Validated"),
                            ("rejected", "Rejected"),
                        ],
                        default="pending",
                        max_length=10,
                    ),
                ),
                (
                    "priority",
                    models.CharField(
                        choices=[
                            ("P0", "P0: weather minimums, airspace, right of way"),
                            ("P1", "P1: currency, documents, inspections"),
                            ("P2", "P2: the rest"),
                        ],
                        default="P2",
                        max_length=2,
                    ),
                ),
                (
                    "stale",
                    models.BooleanField(
                        default=False, help_text="Its evidence changed; a reviewer must look again."
                    ),
                ),
                ("stale_reason", models.CharField(blank=True, max_length=300)),
                (
                    "origin",
                    models.CharField(
                        blank=True,
                        help_text="Where the graph read it; empty for extracted claims.",
                        max_length=40,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ["category", "key"],
            },
        ),
        migrations.CreateModel(
            name="CurrencyReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField(unique=True)),
                (
                    "overdue",
                    models.JSONField(default=list, help_text='[{"document", "title", "tenant", "check_by"}]'),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-day"],
            },
        ),
        migrations.CreateModel(
            name="Extent",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "block", "document_id", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("block", models.IntegerField()),
                ("document_id", models.UUIDField()),
                ("owner", models.BigIntegerField()),
                ("passages", models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="GraphReading",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("origin", models.CharField(max_length=40, unique=True)),
                ("state", models.CharField(help_text="A fingerprint of what was read.", max_length=64)),
                ("read_at", models.DateTimeField(auto_now=True)),
                ("seconds", models.FloatField(default=0)),
                ("changes", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ["origin"],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("key", models.CharField(help_text="“pa.i.a.k1.passengers-after-a-break”", max_length=90)),
                ("task", models.CharField(help_text="The ACS Task: “PA.I.A”.", max_length=20)),
                (
                    "elements",
                    models.JSONField(default=list, help_text="ACS codes that the question is about."),
                ),
                (
                    "level",
                    models.CharField(
                        choices=[("recall", "Recall"), ("apply", "Apply"), ("correlate", "Correlate")],
                        default="apply",
                        max_length=10,
                    ),
                ),
                ("stem", models.TextField(help_text="The question, with its slots in braces.")),
                (
                    "again",
                    models.TextField(help_text="The same question in other words, for “What do you mean?”"),
                ),
                (
                    "on_trip",
                    models.TextField(
                        blank=True,
                        help_text="The same question worded into the trip of a mock oral, with the trip's slots.",
                    ),
                ),
                ("slots", models.JSONField(blank=True, default=dict, help_text='{"days": [40, 95]}')),
                (
                    "cases",
                    models.JSONField(
                        blank=True, default=list, help_text="Rows of givens that belong together."
                    ),
                ),
                (
                    "why",
                    models.TextField(help_text="What the rule or fact protects against, for the debrief."),
                ),
                (
                    "needs",
                    models.JSONField(blank=True, default=list, help_text="Keys of artifacts on the table."),
                ),
                (
                    "requires",
                    models.JSONField(blank=True, default=list, help_text="Elements that are known first."),
                ),
                (
                    "leads_to",
                    models.JSONField(
                        blank=True, default=list, help_text="Elements where the talk goes next."
                    ),
                ),
                (
                    "after",
                    models.CharField(
                        blank=True, help_text="Key of the item before it in its scene.", max_length=90
                    ),
                ),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("file", "item file"),
                            ("written", "written here"),
                            ("drafted", "drafted by a model"),
                        ],
                        default="written",
                        max_length=10,
                    ),
                ),
                ("source_file", models.CharField(blank=True, max_length=120)),
                (
                    "content_hash",
                    models.CharField(blank=True, help_text="sha256 of the item as loaded.", max_length=64),
                ),
                (
                    "withdrawn",
                    models.BooleanField(default=False, help_text="Not asked any more; old exams keep it."),
                ),
                ("withdrawn_reason", models.CharField(blank=True, max_length=300)),
                ("version", models.PositiveIntegerField(default=1)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ["task", "key"],
            },
        ),
        migrations.CreateModel(
            name="LibraryGeneration",
            fields=[
                ("tenant_key", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ("generation", models.PositiveBigIntegerField(default=1)),
            ],
            options={
                "ordering": ["tenant_key"],
            },
        ),
        migrations.CreateModel(
            name="Posting",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "owner",
                        "lexeme",
                        "block",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("owner", models.BigIntegerField(help_text="The tenant; 0 = the shared library.")),
                ("lexeme", models.TextField(db_collation="C")),
                ("block", models.IntegerField()),
                ("passages", models.IntegerField()),
                ("packed", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="StaleBlock",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("block", models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Standard",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "certificate",
                    models.CharField(help_text="private, instrument, commercial…", max_length=20),
                ),
                ("number", models.CharField(help_text="“FAA-S-ACS-6C”", max_length=40, unique=True)),
                ("title", models.CharField(max_length=300)),
                ("edition_date", models.DateField(blank=True, null=True)),
                ("content_hash", models.CharField(blank=True, max_length=64)),
                ("demo", models.BooleanField(default=False)),
                (
                    "current",
                    models.BooleanField(
                        default=True, help_text="The one standard of its certificate that exams use."
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["certificate", "number"],
            },
        ),
        migrations.CreateModel(
            name="Tenant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=63, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "school",
                "ordering": ["slug"],
            },
        ),
        migrations.CreateModel(
            name="UserSession",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40, primary_key=True, serialize=False, verbose_name="session key"
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("user_id", models.BigIntegerField(db_index=True, null=True)),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="WordIndex",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.UUIDField()),
            ],
        ),
        migrations.CreateModel(
            name="AcsTask",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(help_text="“PA.I.A”", max_length=20)),
                ("letter", models.CharField(max_length=4)),
                ("title", models.CharField(max_length=300)),
                (
                    "classes",
                    models.JSONField(default=list, help_text="ASEL, AMEL, ASES, AMES; empty means all."),
                ),
                ("objective", models.TextField(blank=True)),
                ("notes", models.JSONField(blank=True, default=list)),
                (
                    "references",
                    models.JSONField(
                        default=list, help_text='[{"document": "14 CFR", "section": "part 61"}]'
                    ),
                ),
                ("page", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "area",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="knowledge.acsarea",
                    ),
                ),
            ],
            options={
                "verbose_name": "ACS Task",
                "ordering": ["area_id", "code"],
                "indexes": [models.Index(fields=["code"], name="task_code")],
                "constraints": [models.UniqueConstraint(fields=("area", "letter"), name="task_once")],
            },
        ),
        migrations.CreateModel(
            name="AcsElement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=24)),
                (
                    "kind",
                    models.CharField(
                        choices=[("knowledge", "Knowledge"), ("risk", "Risk"), ("skill", "Skill")],
                        max_length=10,
                    ),
                ),
                ("text", models.TextField()),
                ("page", models.PositiveIntegerField(blank=True, null=True)),
                ("edition", models.CharField(max_length=40)),
                ("archived", models.BooleanField(default=False)),
                (
                    "where",
                    models.CharField(
                        choices=[("table", "Table"), ("airplane", "Airplane")], default="table", max_length=10
                    ),
                ),
                ("order", models.PositiveIntegerField(default=0)),
                (
                    "parent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="children",
                        to="knowledge.acselement",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="elements",
                        to="knowledge.acstask",
                    ),
                ),
            ],
            options={
                "verbose_name": "ACS element",
                "ordering": ["task_id", "order"],
                "indexes": [models.Index(fields=["code"], name="element_code")],
                "constraints": [models.UniqueConstraint(fields=("edition", "code"), name="element_once")],
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("prefix", models.CharField(max_length=8)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_keys",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="ChunkEmbedding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("model", models.CharField(max_length=80)),
                ("vector", pgvector.django.vector.VectorField()),
                (
                    "state",
                    models.CharField(choices=[("current", "Current")], default="current", max_length=10),
                ),
                ("windows", models.PositiveSmallIntegerField(default=1)),
                (
                    "chunk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embeddings",
                        to="knowledge.chunk",
                    ),
                ),
            ],
            options={
                "ordering": ["chunk_id"],
                "constraints": [models.UniqueConstraint(fields=("chunk", "model"), name="embedding_once")],
            },
        ),
        migrations.CreateModel(
            name="ChunkTask",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("task_code", models.CharField(max_length=20)),
                ("origin", models.CharField(help_text="references, evidence or reviewer", max_length=20)),
                (
                    "chunk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="knowledge.chunk",
                    ),
                ),
            ],
            options={
                "ordering": ["chunk_id", "task_code"],
                "constraints": [
                    models.UniqueConstraint(fields=("chunk", "task_code", "origin"), name="chunk_task_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ConceptChunkEvidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "evidence_type",
                    models.CharField(
                        choices=[
                            ("primary", "Primary"),
                            ("secondary", "Secondary"),
                            ("example", "Example"),
                            ("counterexample", "Counterexample"),
                        ],
                        default="primary",
                        max_length=15,
                    ),
                ),
                ("quote", models.TextField(help_text="Stands verbatim in the chunk.")),
                ("page", models.PositiveIntegerField(blank=True, null=True)),
                ("confidence", models.FloatField(default=0.5)),
                ("created_by", models.CharField(default="pipeline", max_length=40)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "chunk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evidence",
                        to="knowledge.chunk",
                    ),
                ),
                (
                    "concept",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evidence",
                        to="knowledge.concept",
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "concept chunk evidence",
                "ordering": ["concept_id", "-confidence", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("concept", "chunk", "evidence_type"), name="evidence_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ConceptRelation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "relation_type",
                    models.CharField(
                        choices=[
                            ("requires_knowledge_of", "Requires Knowledge Of"),
                            ("leads_to_discussion_of", "Leads To Discussion Of"),
                            ("is_component_of", "Is Component Of"),
                            ("contrasts_with", "Contrasts With"),
                            ("mitigates_risk_of", "Mitigates Risk Of"),
                            ("applies_in_scenario", "Applies In Scenario"),
                        ],
                        max_length=24,
                    ),
                ),
                ("confidence", models.FloatField(default=0.5)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("pending", "Pending"),
                            ("validated", "Validated"),
                            ("rejected", "Rejected"),
                        ],
                        default="validated",
                        max_length=10,
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                ("created_by", models.CharField(default="pipeline", max_length=40)),
                (
                    "reason",
                    models.CharField(
                        blank=True, help_text="Why the link was made, for a reviewer.", max_length=200
                    ),
                ),
                (
                    "chunk",
                    models.ForeignKey(
                        blank=True,
                        help_text="The passage that says so.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="knowledge.chunk",
                        verbose_name="passage",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="relations_out",
                        to="knowledge.concept",
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="relations_in",
                        to="knowledge.concept",
                    ),
                ),
            ],
            options={
                "verbose_name": "relation",
                "ordering": ["source_id", "relation_type", "target_id"],
                "indexes": [
                    models.Index(fields=["source", "-confidence"], name="relation_forward"),
                    models.Index(fields=["target", "-confidence"], name="relation_backward"),
                    models.Index(fields=["created_by"], name="relation_origin"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("source", "target", "relation_type"), name="relation_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("source", models.F("target")), _negated=True),
                        name="relation_no_loop",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("title", models.CharField(max_length=300)),
                ("abbreviation", models.CharField(blank=True, max_length=60)),
                (
                    "doc_type",
                    models.CharField(
                        choices=[
                            ("cfr", "Regulation (CFR)"),
                            ("aim", "AIM"),
                            ("handbook", "Handbook"),
                            ("ac", "Advisory circular"),
                            ("acs", "Certification standard"),
                            ("poh", "Aircraft handbook (POH)"),
                            ("sop", "School procedures"),
                            ("other", "Other"),
                        ],
                        default="other",
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                (
                    "edition",
                    models.CharField(blank=True, help_text="As printed: “25C”, “July 2021”.", max_length=60),
                ),
                ("edition_date", models.DateField(blank=True, null=True)),
                ("check_by", models.DateField(blank=True, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[("draft", "Draft"), ("published", "Published"), ("archived", "Archived")],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("category", models.CharField(blank=True, max_length=60)),
                ("tags", models.JSONField(blank=True, default=list)),
                (
                    "origin",
                    models.CharField(
                        choices=[("file", "File"), ("written", "Written")], default="file", max_length=10
                    ),
                ),
                ("paged", models.BooleanField(default=True)),
                ("page_count", models.PositiveIntegerField(default=0)),
                ("file", models.FileField(blank=True, max_length=200, upload_to="library/")),
                (
                    "source_name",
                    models.CharField(
                        blank=True, help_text="The name of the file that was uploaded.", max_length=300
                    ),
                ),
                ("content_hash", models.CharField(help_text="sha256 of the file's bytes.", max_length=64)),
                (
                    "chunking",
                    models.CharField(
                        blank=True, help_text="Strategy and limits, e.g. fixed-800-100.", max_length=40
                    ),
                ),
                (
                    "counted_by",
                    models.CharField(
                        blank=True,
                        help_text="The embedding model in whose tokens those limits were counted.",
                        max_length=80,
                    ),
                ),
                (
                    "body",
                    models.TextField(
                        blank=True, help_text="The text of a document that was written here, in Markdown."
                    ),
                ),
                ("demo", models.BooleanField(default=False)),
                ("deprecated_at", models.DateTimeField(blank=True, null=True)),
                ("deprecated_reason", models.CharField(blank=True, max_length=300)),
                (
                    "trashed_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="In the trash: on no list, and archived; its citations still open.",
                        null=True,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "follows",
                    models.ForeignKey(
                        blank=True,
                        help_text="The edition of the same work that was in force when this one was uploaded.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="followers",
                        to="knowledge.document",
                    ),
                ),
                (
                    "superseded_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="supersedes",
                        to="knowledge.document",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="documents",
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["title"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "content_hash"), name="document_file_once", nulls_distinct=False
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="chunk",
            name="document",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="chunks", to="knowledge.document"
            ),
        ),
        migrations.CreateModel(
            name="Chapter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "number",
                    models.CharField(
                        blank=True, help_text="As printed: “15”, “A”; empty for an index.", max_length=8
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=300)),
                ("page_start", models.PositiveIntegerField(help_text="1-based page of the file.")),
                ("page_end", models.PositiveIntegerField()),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chapters",
                        to="knowledge.document",
                    ),
                ),
            ],
            options={
                "ordering": ["document_id", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "position"), name="chapter_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="DocumentEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "act",
                    models.CharField(
                        choices=[
                            ("published", "Published"),
                            ("archived", "Archived"),
                            ("deprecated", "Deprecated"),
                            ("reinstated", "Reinstated"),
                            ("trashed", "Moved to the trash"),
                            ("restored", "Brought back from the trash"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "was",
                    models.CharField(
                        choices=[("draft", "Draft"), ("published", "Published"), ("archived", "Archived")],
                        max_length=10,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="knowledge.document",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="EditionPlace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("index", models.PositiveIntegerField()),
                ("heading", models.CharField(blank=True, max_length=300)),
                ("section_path", models.JSONField(blank=True, default=list)),
                ("section", models.CharField(blank=True, max_length=40)),
                ("anchor", models.CharField(blank=True, max_length=120)),
                ("text", models.TextField(help_text="The same words; their white space may differ.")),
                ("page_start", models.PositiveIntegerField(blank=True, null=True)),
                ("page_end", models.PositiveIntegerField(blank=True, null=True)),
                ("page_label", models.CharField(blank=True, max_length=20)),
                ("lines", models.JSONField(blank=True, default=list)),
                ("tokens", models.PositiveIntegerField(default=0)),
                ("kind", models.CharField(default="body", max_length=10)),
                ("image_links", models.JSONField(blank=True, default=list)),
                (
                    "chunk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="knowledge.chunk",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="knowledge.document",
                    ),
                ),
            ],
            options={
                "ordering": ["document_id", "index"],
                "constraints": [
                    models.UniqueConstraint(fields=("document", "chunk"), name="edition_place_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="EmbeddingCache",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("model", models.CharField(max_length=80)),
                ("text_hash", models.CharField(max_length=64)),
                ("vector", models.BinaryField(help_text="float32, little endian")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("model", "text_hash"), name="embedding_cached_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Image",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("page", models.PositiveIntegerField()),
                ("bbox", models.JSONField(default=list)),
                ("figure_label", models.CharField(blank=True, max_length=40)),
                ("caption", models.TextField(blank=True)),
                ("category", models.CharField(blank=True, max_length=20)),
                ("sha256", models.CharField(max_length=64)),
                ("width", models.PositiveIntegerField(default=0)),
                ("height", models.PositiveIntegerField(default=0)),
                ("file", models.FileField(max_length=200, upload_to="figures/")),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="images",
                        to="knowledge.document",
                    ),
                ),
            ],
            options={
                "verbose_name": "figure",
                "ordering": ["document_id", "page", "figure_label"],
                "constraints": [models.UniqueConstraint(fields=("document", "sha256"), name="image_once")],
            },
        ),
        migrations.CreateModel(
            name="ChunkImageLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "strategy",
                    models.CharField(
                        choices=[
                            ("figure_ref", "Figure Ref"),
                            ("caption_match", "Caption Match"),
                            ("same_page", "Same Page"),
                        ],
                        max_length=15,
                    ),
                ),
                ("relevance", models.FloatField()),
                (
                    "chunk",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="image_links",
                        to="knowledge.chunk",
                    ),
                ),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunk_links",
                        to="knowledge.image",
                    ),
                ),
            ],
            options={
                "ordering": ["chunk_id", "-relevance"],
                "constraints": [
                    models.UniqueConstraint(fields=("chunk", "image", "strategy"), name="chunk_image_once"),
                    models.CheckConstraint(
                        condition=models.Q(("relevance__gte", 0), ("relevance__lte", 1)),
                        name="relevance_unit",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="KeyPoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=60)),
                ("order", models.PositiveSmallIntegerField(default=0)),
                ("text", models.TextField()),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("rule", "Rule"),
                            ("explain", "explanation"),
                            ("read", "reading"),
                            ("hazard", "Hazard"),
                            ("assess", "assessment"),
                            ("mitigate", "mitigation"),
                            ("decide", "decision"),
                        ],
                        default="rule",
                        max_length=10,
                    ),
                ),
                ("must", models.BooleanField(default=True, help_text="A complete answer needs it.")),
                (
                    "p0",
                    models.BooleanField(
                        default=False, help_text="An error here fails the Task once it survives the probe."
                    ),
                ),
                (
                    "sources",
                    models.JSONField(default=list, help_text="“14 CFR 61.57(a)(1)”, the best first."),
                ),
                (
                    "accept",
                    models.JSONField(blank=True, default=list, help_text="Whole wordings of a student."),
                ),
                ("ask", models.CharField(help_text="The neutral probe at it.", max_length=240)),
                ("hint", models.CharField(help_text="Where to look for it.", max_length=240)),
                (
                    "when",
                    models.JSONField(
                        blank=True, default=dict, help_text="Slot values with which it is expected."
                    ),
                ),
                (
                    "anchor",
                    models.CharField(
                        choices=[
                            ("waiting", "not looked for yet"),
                            ("clean", "a passage bears it"),
                            ("doubtful", "a passage may bear it; read it before it is approved"),
                            ("missing", "no passage bears it"),
                            ("table", "rests on the item's own artifact"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("missing_document", models.CharField(blank=True, max_length=120)),
                (
                    "concept",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="key_points",
                        to="knowledge.concept",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="points",
                        to="knowledge.item",
                    ),
                ),
            ],
            options={
                "ordering": ["item_id", "order"],
                "constraints": [models.UniqueConstraint(fields=("item", "key"), name="key_point_once")],
            },
        ),
        migrations.CreateModel(
            name="MixUp",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("order", models.PositiveSmallIntegerField(default=0)),
                ("text", models.TextField(help_text="As a student says it.")),
                ("answer", models.TextField(help_text="What is right instead.")),
                ("sources", models.JSONField(default=list)),
                (
                    "contradicts",
                    models.JSONField(blank=True, default=list, help_text="Keys of points that it denies."),
                ),
                (
                    "concept",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="mixups",
                        to="knowledge.concept",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mixups",
                        to="knowledge.item",
                    ),
                ),
            ],
            options={
                "verbose_name": "mix-up",
                "ordering": ["item_id", "order"],
            },
        ),
        migrations.CreateModel(
            name="ModelFailure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("provider", models.CharField(max_length=20)),
                ("model", models.CharField(max_length=80)),
                ("purpose", models.CharField(max_length=20)),
                ("code", models.CharField(max_length=40)),
                ("message", models.CharField(max_length=300)),
                ("failures", models.PositiveIntegerField(default=1)),
                ("last_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["-last_at"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("provider", "model", "purpose"), name="model_failure_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelUse",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("provider", models.CharField(max_length=20)),
                ("model", models.CharField(max_length=80)),
                ("purpose", models.CharField(help_text="A role, or “embedding”.", max_length=20)),
                ("calls", models.PositiveIntegerField(default=0)),
                ("input_tokens", models.PositiveBigIntegerField(default=0)),
                ("output_tokens", models.PositiveBigIntegerField(default=0)),
                ("cost", models.FloatField(blank=True, null=True)),
            ],
            options={
                "ordering": ["-day", "model", "purpose"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("day", "provider", "model", "purpose"), name="model_use_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Page",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(help_text="1-based page of the file.")),
                (
                    "label",
                    models.CharField(blank=True, help_text="What is printed on it: “15-3”.", max_length=20),
                ),
                ("width", models.FloatField(help_text="points")),
                ("height", models.FloatField(help_text="points")),
                ("rotation", models.PositiveSmallIntegerField(default=0)),
                ("needs_ocr", models.BooleanField(default=False)),
                (
                    "recognised",
                    models.BooleanField(
                        default=False, help_text="Its text was read from its picture (OCR) and may be wrong."
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pages",
                        to="knowledge.document",
                    ),
                ),
            ],
            options={
                "ordering": ["document_id", "number"],
                "constraints": [models.UniqueConstraint(fields=("document", "number"), name="page_once")],
            },
        ),
        migrations.AddField(
            model_name="acsarea",
            name="standard",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="areas", to="knowledge.standard"
            ),
        ),
        migrations.CreateModel(
            name="RetrievalReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("week", models.DateField(help_text="Its Monday.")),
                ("body", models.JSONField(default=dict, help_text="What the week's report says, as JSON.")),
                ("created_at", models.DateTimeField(auto_now=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                    ),
                ),
            ],
            options={
                "ordering": ["-week"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "week"), name="retrieval_report_once", nulls_distinct=False
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RetrievalLog",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("query", models.TextField()),
                ("element", models.CharField(blank=True, max_length=24)),
                ("exam", models.UUIDField(blank=True, null=True)),
                ("filters", models.JSONField(default=dict)),
                ("arm", models.CharField(max_length=20)),
                (
                    "kind",
                    models.CharField(
                        choices=[("element", "Element"), ("answer", "Answer"), ("typed", "Typed")],
                        default="typed",
                        max_length=10,
                    ),
                ),
                (
                    "tier",
                    models.CharField(
                        choices=[("memory", "Memory"), ("hot", "Hot"), ("full", "Full")],
                        default="full",
                        max_length=10,
                    ),
                ),
                (
                    "flags",
                    models.JSONField(default=list, help_text="The flags that were on for whom it was made."),
                ),
                ("model", models.CharField(blank=True, max_length=80)),
                ("quality", models.CharField(max_length=10)),
                ("top", models.FloatField(blank=True, null=True)),
                ("fallback", models.BooleanField(default=False)),
                ("cached", models.BooleanField(default=False)),
                ("latency_ms", models.FloatField()),
                (
                    "results",
                    models.JSONField(
                        default=list,
                        help_text='[{"chunk_id", "score", "similarity", "lexical"}] in the order shown',
                    ),
                ),
                (
                    "reformulated",
                    models.TextField(
                        blank=True,
                        help_text="What was searched instead, where what was asked found too little.",
                    ),
                ),
                (
                    "degraded",
                    models.CharField(
                        blank=True, help_text="What was away, where something was.", max_length=200
                    ),
                ),
                (
                    "cited",
                    models.JSONField(
                        default=list, help_text="Ids of the passages that were cited because of it."
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "verbose_name": "logged search",
                "verbose_name_plural": "logged searches",
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="RetrievalComparison",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("element", models.CharField(max_length=24)),
                ("exam", models.UUIDField(blank=True, null=True)),
                (
                    "turn",
                    models.PositiveBigIntegerField(
                        help_text="The turn that asked the question.", null=True, unique=True
                    ),
                ),
                (
                    "served",
                    models.CharField(
                        help_text="The arm that the student had: plain or enhanced.", max_length=10
                    ),
                ),
                ("plain", models.JSONField(default=list)),
                ("enhanced", models.JSONField(default=list)),
                (
                    "labels",
                    models.JSONField(
                        default=list, help_text="Passages of the question's approved key points."
                    ),
                ),
                (
                    "plain_found",
                    models.JSONField(default=list, help_text="Found while those points are hidden."),
                ),
                (
                    "enhanced_found",
                    models.JSONField(default=list, help_text="Found while those points are hidden."),
                ),
                ("plain_ms", models.FloatField(null=True)),
                ("enhanced_ms", models.FloatField(null=True)),
                ("plain_verdict", models.CharField(blank=True, max_length=15)),
                ("enhanced_verdict", models.CharField(blank=True, max_length=15)),
                (
                    "verdict",
                    models.CharField(blank=True, help_text="The one that the student got.", max_length=15),
                ),
                (
                    "overlap",
                    models.FloatField(default=0, help_text="Passages of both among those of either, 0 to 1."),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(choices=[("examiner", "Examiner")], default="examiner", max_length=20),
                ),
                (
                    "area",
                    models.CharField(
                        blank=True,
                        help_text="A roman numeral: I, XI. Empty: for every Area of Operation.",
                        max_length=5,
                    ),
                ),
                (
                    "text",
                    models.TextField(
                        help_text="How to speak and what to dwell on. Figures and rules do not belong here.",
                        max_length=1000,
                    ),
                ),
                ("active", models.BooleanField(default=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: for every school.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="ModelSpending",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("exam", models.UUIDField(null=True)),
                ("calls", models.PositiveIntegerField(default=0)),
                ("tokens", models.PositiveBigIntegerField(default=0, help_text="Read and written.")),
                (
                    "cost",
                    models.FloatField(
                        blank=True, help_text="In US dollars; null if a price is not known.", null=True
                    ),
                ),
                (
                    "student",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.tenant",
                    ),
                ),
            ],
            options={
                "ordering": ["-day", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("day", "student", "tenant", "exam"),
                        name="spending_once",
                        nulls_distinct=False,
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelCallCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField()),
                ("calls", models.PositiveIntegerField(default=0)),
                (
                    "student",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="knowledge.tenant",
                    ),
                ),
            ],
            options={
                "ordering": ["-day", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("day", "student", "tenant"), name="model_calls_once", nulls_distinct=False
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("student", "Student"),
                            ("reviewer", "Reviewer"),
                            ("operator", "Operator"),
                            ("instructor", "Instructor"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["user_id", "role"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "tenant", "role"), name="membership_once", nulls_distinct=False
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="item",
            name="tenant",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="items",
                to="knowledge.tenant",
                verbose_name="school",
            ),
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("student", "Student"),
                            ("reviewer", "Reviewer"),
                            ("operator", "Operator"),
                            ("instructor", "Instructor"),
                        ],
                        max_length=10,
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=150)),
                ("email", models.EmailField(blank=True, max_length=254)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "used_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="knowledge.tenant",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
            },
        ),
        migrations.CreateModel(
            name="IngestionJob",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("file", models.FileField(blank=True, max_length=200, upload_to="incoming/")),
                ("source_name", models.CharField(max_length=300)),
                ("content_hash", models.CharField(max_length=64)),
                ("options", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("cancelling", "Cancelling"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("step", models.CharField(blank=True, max_length=30)),
                (
                    "steps",
                    models.JSONField(
                        default=list, help_text='[{"name", "state", "done", "total", "seconds", "note"}]'
                    ),
                ),
                (
                    "counts",
                    models.JSONField(
                        default=dict, help_text="The result so far: pages, chunks, images, links, skipped…"
                    ),
                ),
                ("error", models.TextField(blank=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("document", "Document"),
                            ("vectors", "Search vectors"),
                            ("claims", "Claims"),
                            ("items", "Questions"),
                            ("standard", "Certification standard"),
                            ("rules", "European rules"),
                            ("evaluation", "Evaluation"),
                            ("backup", "Backup"),
                        ],
                        default="document",
                        max_length=10,
                    ),
                ),
                (
                    "held",
                    models.BooleanField(
                        default=False,
                        help_text="Waits for an operator who has seen the estimate; no worker takes it.",
                    ),
                ),
                (
                    "estimate",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="pages, tokens, cost and seconds, as expected before it began",
                    ),
                ),
                (
                    "seconds_left",
                    models.FloatField(
                        blank=True, help_text="As the worker saw it when it wrote the row.", null=True
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("priority", models.SmallIntegerField(default=0)),
                (
                    "large",
                    models.BooleanField(default=False, help_text="Takes minutes: small ones go before it."),
                ),
                ("fence", models.PositiveIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                (
                    "dismissed_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Over and put away: on no list but that of dismissed jobs.",
                        null=True,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="jobs",
                        to="knowledge.document",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "verbose_name": "job",
                "ordering": ["-created_at"],
                "indexes": [models.Index(fields=["state", "lease_until"], name="job_state")],
            },
        ),
        migrations.AddField(
            model_name="concept",
            name="tenant",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="concepts",
                to="knowledge.tenant",
                verbose_name="school",
            ),
        ),
        migrations.CreateModel(
            name="Artifact",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=60)),
                ("kind", models.CharField(max_length=20)),
                ("title", models.CharField(max_length=120)),
                ("text", models.TextField(blank=True, help_text="Shown as it stands, in columns.")),
                (
                    "figure",
                    models.CharField(
                        blank=True, help_text="A figure of the library: “PHAK Figure 10-5”.", max_length=60
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["key"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "key"), name="artifact_once", nulls_distinct=False
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Abbreviation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("short", models.CharField(help_text="As it is printed: METAR.", max_length=20)),
                (
                    "long",
                    models.CharField(
                        help_text="What it stands for: aviation routine weather report.", max_length=120
                    ),
                ),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("built_in", "known from the start"),
                            ("read", "read from a document"),
                            ("written", "written here"),
                        ],
                        default="written",
                        max_length=10,
                    ),
                ),
                ("active", models.BooleanField(default=True)),
                ("quote", models.CharField(blank=True, help_text="The words that do.", max_length=200)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "chunk",
                    models.ForeignKey(
                        blank=True,
                        help_text="The passage that spells it out.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="knowledge.chunk",
                        verbose_name="passage",
                    ),
                ),
                (
                    "tenant",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: for every school.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="knowledge.tenant",
                        verbose_name="school",
                    ),
                ),
            ],
            options={
                "ordering": ["short", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "short", "long"), name="one_meaning_once", nulls_distinct=False
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="VectorSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("model", models.CharField(max_length=80, unique=True)),
                ("dimensions", models.PositiveIntegerField()),
                ("in_use", models.BooleanField(default=False)),
                ("used_since", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["created_at"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("in_use", True)), fields=("in_use",), name="one_vector_set_in_use"
                    )
                ],
            },
        ),
        migrations.AddIndex(
            model_name="chunk",
            index=django.contrib.postgres.indexes.GinIndex(
                fields=["search_vector"], name="chunk_search_vector"
            ),
        ),
        migrations.AddIndex(
            model_name="chunk",
            index=models.Index(fields=["section"], name="chunk_section"),
        ),
        migrations.AddConstraint(
            model_name="chunk",
            constraint=models.UniqueConstraint(fields=("document", "index"), name="chunk_index_once"),
        ),
        migrations.AddConstraint(
            model_name="acsarea",
            constraint=models.UniqueConstraint(fields=("standard", "numeral"), name="area_once"),
        ),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(fields=["task"], name="item_task"),
        ),
        migrations.AddIndex(
            model_name="item",
            index=django.contrib.postgres.indexes.GinIndex(fields=["elements"], name="item_elements"),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(
                fields=("tenant", "key"), name="item_once", nulls_distinct=False
            ),
        ),
        migrations.AddIndex(
            model_name="concept",
            index=models.Index(fields=["category", "validation_status", "priority"], name="concept_queue"),
        ),
        migrations.AddIndex(
            model_name="concept",
            index=models.Index(
                models.Case(
                    models.When(key_facts__has_key="unbound", then=1),
                    default=0,
                    output_field=models.IntegerField(),
                ),
                models.F("priority"),
                models.F("created_at"),
                models.F("key"),
                condition=models.Q(
                    models.Q(
                        ("validation_status", "pending"),
                        models.Q(("stale", True), ("validation_status", "validated")),
                        _connector="OR",
                    ),
                    ("category__in", ("regulatory_claim", "definition")),
                ),
                name="claims_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="concept",
            index=models.Index(fields=["origin"], name="concept_origin"),
        ),
        migrations.AddConstraint(
            model_name="concept",
            constraint=models.UniqueConstraint(
                fields=("tenant", "key"), name="concept_once", nulls_distinct=False
            ),
        ),
        *_STEPS["0002_vector_indexes"],
        *_STEPS["0014_words"][-2:],
        *_STEPS["0015_better_vector_indexes"],
    ]
