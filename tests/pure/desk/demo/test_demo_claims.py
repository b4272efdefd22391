"""The demo's claims fit its standard, and support whole Tasks."""

from collections import Counter, defaultdict

from desk.demo.content import demo_claims, demo_standard

CLAIMS = demo_claims()
APPROVED = [claim for claim in CLAIMS if claim.status == "approved"]
ELEMENTS = {element.code: element for element in demo_standard().elements}


def supported(task: str, kind: str) -> set[str]:
    return {
        code
        for claim in APPROVED
        for code in claim.elements
        if code.startswith(f"{task}.") and ELEMENTS[code].kind == kind
    }


def test_keys_and_statements_are_unique() -> None:
    assert max(Counter(claim.key for claim in CLAIMS).values()) == 1
    assert max(Counter(claim.statement for claim in CLAIMS).values()) == 1


def test_every_claim_belongs_to_elements_of_the_standard() -> None:
    assert {code for claim in CLAIMS for code in claim.elements} <= set(ELEMENTS)


def test_some_claims_wait_for_the_reviewer() -> None:
    assert 8 <= len(CLAIMS) - len(APPROVED) <= 12


def test_every_task_can_be_examined() -> None:
    for task in demo_standard().tasks:
        risks = {element.code for element in task.elements if element.kind == "risk"}
        assert len(supported(task.code, "knowledge")) >= 3, task.code
        assert len(supported(task.code, "risk")) >= min(2, len(risks)), task.code


def test_a_supported_risk_has_its_three_parts() -> None:
    roles: dict[str, set[str]] = defaultdict(set)
    for claim in APPROVED:
        for code in claim.elements:
            roles[code].add(claim.role)

    risks = {code: roles[code] for code in roles if ELEMENTS[code].kind == "risk"}

    assert risks
    assert all(found >= {"hazard", "assess", "mitigate"} for found in risks.values()), risks


def test_a_statement_is_a_whole_sentence_without_its_section() -> None:
    for claim in CLAIMS:
        assert claim.statement[0].isupper(), claim.key
        assert claim.statement.endswith("."), claim.key
        assert claim.statement.rstrip(".") in claim.quote, claim.key
        assert "CFR" not in claim.statement or claim.role != "rule", claim.key


def test_the_codes_are_the_faas() -> None:
    assert len(ELEMENTS) == len(demo_standard().elements)
    assert {task.code for task in demo_standard().tasks} == {
        "PA.I.A", "PA.I.B", "PA.I.D", "PA.I.E", "PA.I.H", "PA.III.A", "PA.III.B", "PA.XI.A",
    }  # fmt: skip
