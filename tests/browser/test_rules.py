"""A pilot asks the rules desk, changes the countries, compares, sees what is missing; an operator mends an answer."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import House, picture, sign_in

LIMIT = 60_000  # ms; the machine may have other things to do

PLAN = "Is an FPL required for a VFR flight?"
NOTICE = "How long before arrival is prior permission (PPR) asked for?"


def _question(text: str, category: str, tag: str, **answers: str) -> dict[str, object]:
    return {
        "question_id": text,
        "question_text": text,
        "category": category,
        "tags": [tag],
        "answers_by_country": {
            country: {"answer_html": said, "links": [], "last_reviewed": "2026-02-01"}
            for country, said in answers.items()
        },
    }


def load_rules(house: House, folder: Path) -> None:
    """Rules as an operator loads them, in a process of its own."""
    questions = [
        _question(PLAN, "VFR", "flight plan", FR="no", DE="No, but at night it is required", IE="Yes"),
        _question(NOTICE, "Airfields", "prior permission", FR="2 hours before", DE="24 hours before", IE=""),
    ]
    path = folder / "rules.json"
    path.write_text(json.dumps({"questions": questions}))
    house.manage("load_rules", str(path))


@pytest.mark.long
def test_a_pilot_asks_and_an_operator_mends(page: Page, house: House, tmp_path: Path) -> None:
    sign_in(page, "student")
    page.goto("/exams/")
    page.click("nav >> text=Europe")
    expect(page.locator("main")).to_contain_text("This is a small demo table")
    load_rules(house, tmp_path)
    page.reload()
    page.fill("#message", "Is an FPL required for a VFR flight in France and Ireland?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".part h2").first).to_have_text(PLAN, timeout=LIMIT)
    expect(page.locator(".column").first).to_contain_text("France")
    picture(page, "rules-asked")
    address = page.url

    page.fill("#message", "and Germany?")
    page.click("button:text-is('Ask')")
    expect(page.locator(".turns li")).to_have_count(2, timeout=LIMIT)
    expect(page.locator(".chip:has(:checked)")).to_have_count(3)

    page.get_by_label("France", exact=True).uncheck()
    page.click("summary:has-text('Add countries')")
    page.fill("#more", "Spain")
    page.click("button:has-text('Ask again')")
    expect(page.locator(".turns li")).to_have_count(3, timeout=LIMIT)
    expect(page.locator(".chip:has(:checked)")).to_have_text(["Ireland", "Germany", "Spain not in the data"])
    expect(page.locator(".answer")).to_contain_text("There are no rules for Spain in the data.")
    _fits_a_phone(page, "rules-asked-phone")

    page.goto("/rules/compare/")
    for name in ("France", "Germany", "Ireland"):
        page.get_by_label(name, exact=True).check()
    page.fill("#least", "0.3")
    page.click("button:text-is('Compare')")
    expect(page.locator("mark").filter(has_text="24").first).to_be_visible()
    expect(page.locator("td", has_text="no answer")).to_have_count(1)
    _fits_a_phone(page, "rules-compare-phone")

    page.goto("/rules/overview/")
    expect(page.locator("svg.europe a")).to_have_count(3)
    _fits_a_phone(page, "rules-overview-phone")
    _fit_a_finger(page, ".known a")
    page.locator("svg.europe a[aria-label^='Ireland']").click()
    expect(page.locator("main")).to_contain_text("No answer.")

    sign_in(page, "operator")
    page.goto("/admin/rules/ruleanswer/?country=FR&q=FPL")
    page.locator("#result_list a", has_text="FPL required").first.click()
    page.fill("#id_text", "only across the border")
    page.fill("#id_reason", "new AIP")
    page.click("button[name=_save]")
    expect(page.locator("body")).to_contain_text("was changed successfully")

    sign_in(page, "student")
    page.goto(address)
    expect(page.locator(".column").first).to_contain_text("changed since")
    page.locator(".column a").first.click()
    expect(page.locator("main")).to_contain_text("only across the border")


def _fits_a_phone(page: Page, name: str) -> None:
    """Nothing has to be moved sideways on a screen of 390 pixels."""
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    picture(page, name)
    page.set_viewport_size({"width": 1280, "height": 900})


def _fit_a_finger(page: Page, links: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    boxes = page.locator(links).evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
    assert boxes
    assert all(box["height"] >= 44 and box["width"] >= 24 for box in boxes), boxes
    page.set_viewport_size({"width": 1280, "height": 900})
