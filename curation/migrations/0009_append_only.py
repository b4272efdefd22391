"""The database refuses to change or delete decisions, but for those of a school that a transaction says it removes."""

from django.db import migrations, models

KEEP = """
CREATE FUNCTION curation_keep_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'curation_reviewdecision' THEN
        IF OLD.tenant_id::text = current_setting('heydpe.removed_school', true) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'Review decisions are append-only: % refused', TG_OP USING
        ERRCODE = 'integrity_constraint_violation',
        HINT = 'Record a new decision. manage.py remove_decisions removes those of a school that is given up.';
END $$;
"""
TRIGGERS = "".join(
    f"""
CREATE TRIGGER {table}_rows BEFORE UPDATE OR DELETE ON curation_{table}
    FOR EACH ROW EXECUTE FUNCTION curation_keep_decisions();
CREATE TRIGGER {table}_all BEFORE TRUNCATE ON curation_{table}
    FOR EACH STATEMENT EXECUTE FUNCTION curation_keep_decisions();
"""
    for table in ("reviewdecision", "removeddecisions")
)
AS_BEFORE = """
DROP TRIGGER reviewdecision_rows ON curation_reviewdecision;
DROP TRIGGER reviewdecision_all ON curation_reviewdecision;
DROP TRIGGER removeddecisions_rows ON curation_removeddecisions;
DROP TRIGGER removeddecisions_all ON curation_removeddecisions;
DROP FUNCTION curation_keep_decisions();
"""


class Migration(migrations.Migration):
    dependencies = [("curation", "0008_chain_decisions")]

    operations = [
        migrations.AddConstraint(
            model_name="reviewdecision",
            constraint=models.UniqueConstraint(
                fields=("tenant", "number"), name="decision_numbered_once", nulls_distinct=False
            ),
        ),
        migrations.RunSQL(KEEP + TRIGGERS, AS_BEFORE),
    ]
