"""The database refuses to change or delete decisions on the graph as it does those on claims."""

from django.db import migrations, models

OF_SCHOOLS = "TG_TABLE_NAME IN ('curation_reviewdecision', 'curation_graphdecision')"
KEEP = """
CREATE OR REPLACE FUNCTION curation_keep_decisions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND {} THEN
        IF OLD.tenant_id::text = current_setting('heydpe.removed_school', true) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'Review decisions are append-only: % refused', TG_OP USING
        ERRCODE = 'integrity_constraint_violation',
        HINT = 'Record a new decision. manage.py remove_decisions removes those of a school that is given up.';
END $$;
"""
TRIGGERS = """
CREATE TRIGGER graphdecision_rows BEFORE UPDATE OR DELETE ON curation_graphdecision
    FOR EACH ROW EXECUTE FUNCTION curation_keep_decisions();
CREATE TRIGGER graphdecision_all BEFORE TRUNCATE ON curation_graphdecision
    FOR EACH STATEMENT EXECUTE FUNCTION curation_keep_decisions();
"""
AS_BEFORE = """
DROP TRIGGER graphdecision_rows ON curation_graphdecision;
DROP TRIGGER graphdecision_all ON curation_graphdecision;
""" + KEEP.format("TG_TABLE_NAME = 'curation_reviewdecision'")


class Migration(migrations.Migration):
    dependencies = [("curation", "0012_chain_graph_decisions")]

    operations = [
        migrations.AddConstraint(
            model_name="graphdecision",
            constraint=models.UniqueConstraint(
                fields=("tenant", "number"), name="graph_decision_numbered_once", nulls_distinct=False
            ),
        ),
        migrations.RunSQL(KEEP.format(OF_SCHOOLS) + TRIGGERS, AS_BEFORE),
    ]
