"""The board: which Tasks can be completed, which elements can be asked, which documents are missing."""

from exams.bank.coverage import coverage_of
from tests.doubles.orals import fact


def test_task_is_completable_with_one_knowledge_and_one_risk_element() -> None:
    facts = [fact("PA.I.A.K1", items=2), fact("PA.I.A.R1", items=1), fact("PA.I.A.K2", askable=False)]
    (task,) = coverage_of(facts).tasks
    assert (task.completable, task.why) == (True, "")


def test_task_without_a_risk_element_names_the_document_it_waits_for() -> None:
    facts = [fact("PA.I.A.K1"), fact("PA.I.A.R1", askable=False, missing_reference="AFH ch. 9")]
    found = coverage_of(facts)
    assert not found.tasks[0].completable
    assert found.tasks[0].why == "no risk element can be asked; waits for AFH ch. 9"
    assert found.missing == [("AFH ch. 9", 1)]


def test_element_with_sub_elements_can_be_asked_when_one_of_them_can() -> None:
    facts = [fact("PA.I.B.K1", askable=False), fact("PA.I.B.K1a"), fact("PA.I.B.K1b", askable=False)]
    found = {element.code: element.askable for element in coverage_of(facts).elements}
    assert found == {"PA.I.B.K1": True, "PA.I.B.K1a": True, "PA.I.B.K1b": False}


def test_command_prints_the_contracts_fields() -> None:
    told = coverage_of([fact("PA.I.A.K1"), fact("PA.I.A.R1")]).to_dict()
    assert told["elements"] == {"table": 2, "askable": 2, "risk": 1, "risk_askable": 1}
    assert told["completable"] == 1
    assert set(told["tasks"][0]) == {"task", "completable", "why", "elements"}


def test_what_is_flown_or_of_another_class_is_no_part_of_the_board() -> None:
    facts = [fact("PA.I.A.K1"), fact("PA.IV.A.K1"), fact("PA.I.I.K1", classes=("ASES",))]
    assert [element.code for element in coverage_of(facts).elements] == ["PA.I.A.K1"]
