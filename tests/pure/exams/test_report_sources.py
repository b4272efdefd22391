"""What a report quotes for a point can be understood."""

from exams.report import join_lead_ins


def source(n: int, quote: str, chunk: str = "a") -> dict[str, object]:
    return {"n": n, "quote": quote, "chunk_id": chunk}


def test_a_lead_in_stands_before_what_it_leads_to() -> None:
    rule, lead = source(1, "Operate an aircraft without lights."), source(2, "No person may:")
    assert [one["quote"] for one in join_lead_ins([rule, lead])] == [
        "No person may: … Operate an aircraft without lights."
    ]


def test_other_sources_stay_as_they_are() -> None:
    both = [
        source(1, "The wing stalls."),
        source(2, "The ball is centered."),
        source(3, "No person may:", "b"),
    ]
    assert join_lead_ins(both) == both[:2]
