"""Wordings of the real rules: what turns one round is never shown, and most of what says the same in other words is.

Each is a country, a part of the question, and what a model might say of it.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules.answers.verify import Rule, Statement, faults_of
from rules.data.clean import plain_text

FILE = Path(__file__).resolve().parents[4] / "shared" / "data" / "rules" / "rules.json"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FILE.is_file(), reason="../shared/data/rules is not here"),
]

TURNED = (
    ("GB", "penetration of Danger Areas", "You may enter danger areas without asking for transit."),
    (
        "BE",
        "crossing an international boundary",
        "An FPL is not required when crossing the border with France or UK.",
    ),
    ("IE", "penetration of Danger Areas", "Entry is prohibited when the area is active."),
    ("NO", "Is PPR generally", "Most private airports do not require PPR."),
    ("GG", "Is an FPL required for a VFR", "An FPL is required only between EGJB and EGJA."),
    (
        "FR",
        "Class E airspace, what are the tr",
        "A transponder is never required in class E, not even in a TMZ.",
    ),
    ("NL", "Gliding Launch Sites", "Penetration of gliding launch sites above 2,500 ft is recommended."),
    (
        "IE",
        "arriving Non-Schengen",
        "You may land at any aerodrome; customs and immigration facilities are not required.",
    ),
    ("GB", "penetration of Prohibited", "You may enter prohibited zones."),
    (
        "DE",
        "Class E airspace, what are the tr",
        "A transponder is required in class E and has to be switched on.",
    ),
    ("DE", "Can FIS grant clearance", "FIS can grant a clearance on its own."),
    (
        "GB",
        "requirements to enter Class D and",
        'You may enter before you heard "Cleared to enter airspace".',
    ),
    (
        "IE",
        "Class G airspace, what are the tr",
        "A transponder is not required when entering a Transponder Mandatory Zone.",
    ),
    ("IT", "are you required to use FIS", "Using FIS is required and recommended."),
    ("NO", "Are autorouter FPL", "Avinor prefers that you do not use their own system."),
    ("BE", "Restricted Areas", "You may enter restricted areas when active; FIS knows the activity."),
    (
        "SE",
        "For ATC at an airfield, what permissions are required on taxiways",
        "No airports require permission from a ground or apron controller.",
    ),
    ("IE", "Enforced", "The semicircle rules are enforced but not recommended."),
    ("DE", "Military Areas", "Entering is permitted without being cleared by the responsible ATC unit."),
    ("NL", "Parachute", "Parachute areas may be entered; in doubt ask FIS."),
    ("GB", "Military Areas", "A MTZ in class G cannot be entered."),
    (
        "NL",
        "If IFR practical in Class G, is an FPL",
        "An FPL is required but does not have to be filed before the flight.",
    ),
    (
        "PL",
        "For Airfield Information service, what permissions are required on taxiways",
        "You need permission from the Airfield Information service to start the engine.",
    ),
    ("GB", "How are FPL closed", "Closing the FPL is required; search and rescue will be triggered."),
    ("DE", "Parachute", "Enter with caution if no reliable information is available."),
    ("IE", "If IFR practical in Class G, is an FPL", "A flight plan is mandatory in Class G."),
    (
        "SE",
        "If IFR practical in Class G, is an ATC service",
        "An ATC service is required in class G; a FIS service may be required depending on airspace and level.",
    ),
    ("BE", "If PPR is required", "An FPL is sufficient; no phone call upfront is needed."),
    ("NO", "Is a clearance required for a VFR", "You need clearance to enter class G airspace in Norway."),
    ("IE", "penetration of Prohibited", "Entry is permitted at low altitude without authorisation."),
    ("CH", "Can you rely on FIS", "You can always rely on FIS to advise you."),
    ("BE", "Gliding Launch", "Gliding sites may be overflown when active; activity is known by FIS."),
    (
        "DE",
        "crossing an international boundary",
        "A VFR FPL is required for every flight that crosses the German boundaries, with no exemptions.",
    ),
    (
        "NL",
        "For Airfield Information service, what permissions are required on taxiways",
        "At EHSE you taxi at your own discretion without calling FIS.",
    ),
    ("IE", "penetration of Restricted", "Entry is allowed when the area is active."),
    ("NO", "use of local language", "Local language is usually used, but sometimes not for emergencies."),
    ("FR", "IFR permitted", "IFR is not permitted in Class G."),
    ("BE", "Class C airspace, what are the tr", "A transponder with mode S is not required in Class C."),
    ("SE", "requirements to enter Class D and", "No clearance is needed to enter Class D or C airspace."),
    ("DE", "are you required to use FIS", "Using FIS is mandatory and good airmanship."),
    ("CH", "requirements to enter Class D and", "Clearance is needed for D, radio communication for C."),
    (
        "FR",
        "For ATC at an airfield, what permissions are required in the air",
        "No radio contact is needed in the air.",
    ),
    ("BE", "Is a clearance required for a VFR", "A clearance is required for a VFR flight in class G."),
    ("SE", "Is PPR generally", "PPR is generally required."),
    ("IE", "Is PPR generally", "PPR is generally not required; some airfields want it by telephone."),
    ("DE", "IFR permitted", "IFR is permitted in class G."),
    ("GB", "If PPR is required", "An FPL is generally considered sufficient."),
    ("DE", "Parachute", "Parachute areas may be entered without asking FIS."),
    ("IT", "Can you rely on FIS", "You can rely on FIS in mountain areas."),
    ("DE", "penetration of Prohibited", "Penetration is allowed."),
    ("PL", "penetration of Restricted", "Entry into restricted areas is discouraged."),
    ("GB", "Abided", "The semicircle rules are always abided by."),
    ("BE", "Parachute", "Parachute areas may be overflown when active."),
    ("GB", "approaching an airfield without", "Inside controlled airspace it is at pilot discretion."),
)
REWORDED = (
    (
        "GB",
        "penetration of Danger Areas",
        "Do not enter danger areas; you may ask for transit, but it is not always possible.",
    ),
    (
        "BE",
        "crossing an international boundary",
        "An FPL is required when crossing the border with France or UK; not required for Netherlands and Germany.",
    ),
    (
        "IE",
        "penetration of Danger Areas",
        "Entry is not prohibited, but it is discouraged when the area is active.",
    ),
    (
        "NO",
        "Is PPR generally",
        "PPR is not required for Avinor fields, but most private airports require a PPR.",
    ),
    (
        "GG",
        "Is an FPL required for a VFR",
        "An FPL is required for a VFR flight, except between EGJB and EGJA.",
    ),
    (
        "FR",
        "Class E airspace, what are the tr",
        "A transponder is not required in Class E airspace unless in a TMZ.",
    ),
    (
        "NL",
        "Gliding Launch Sites",
        "Gliding launch sites are recommended to be avoided; be above 2,500 ft with a sharp lookout.",
    ),
    ("IE", "If PPR is required", "An FPL is generally not considered sufficient if PPR is required."),
    ("GB", "penetration of Prohibited", "Do not enter prohibited zones."),
    (
        "DE",
        "Class E airspace, what are the tr",
        "In Class E a transponder is not required, but it has to be switched on if equipped (code 7000).",
    ),
    ("FR", "Is an FPL required for a VFR", "An FPL is not required for a VFR flight."),
    (
        "GB",
        "requirements to enter Class D and",
        "You need an explicit clearance from the controlling station; do not enter until you heard it.",
    ),
    (
        "IE",
        "Class G airspace, what are the tr",
        "A transponder is required when operating IFR or entering a Transponder Mandatory Zone.",
    ),
    ("IT", "are you required to use FIS", "You are not required to use FIS, but it is recommended."),
    ("NO", "Class C airspace, what are the tr", "A transponder is required under VFR in Class C airspace."),
    (
        "BE",
        "requirements to enter Class D and",
        "A clearance is required to enter Class D and Class C airspace.",
    ),
    (
        "SE",
        "For ATC at an airfield, what permissions are required on taxiways",
        "Usually no permissions are required, but some airports require permission from a ground or apron controller.",
    ),
    ("IE", "Enforced", "The rules are recommended but not enforced."),
    (
        "DE",
        "Military Areas",
        "Entering is permitted if cleared by the responsible ATC unit or if the area is declared as not active.",
    ),
    ("NL", "Parachute", "Parachute areas are to be avoided; in doubt ask FIS."),
    ("GB", "Military Areas", "A MTZ in class G can be entered."),
    (
        "NL",
        "If IFR practical in Class G, is an FPL",
        "An FPL is required and has to be filed before the flight.",
    ),
    ("BE", "How are FPL closed", "You have to call EBBR ARO (Briefing) on +32 2 206.25.40 to close the FPL."),
    ("GB", "How are FPL closed", "Closing the FPL is not required; no search and rescue will be triggered."),
    ("NL", "How are FPL closed", "Local FIS will take care of closing the FPL."),
    ("BE", "If IFR practical in Class G, is an ATC", "Contact with FIS is recommended."),
    ("DE", "IFR permitted and practical", "IFR is not permitted in Class G."),
    (
        "BE",
        "If PPR is required",
        "An FPL is not considered sufficient; a phone call upfront is the best approach.",
    ),
    (
        "NO",
        "Is a clearance required for a VFR",
        "A clearance is not required for a VFR flight in Class G; you don't need clearance to enter the airspace.",
    ),
    ("PL", "penetration of Danger", "No entry into danger areas."),
    ("CH", "Can you rely on FIS", "You can rely on FIS to advise you when workload permits."),
    ("BE", "Gliding Launch", "Avoid overflying gliding launch sites when active; activity is known by FIS."),
    (
        "GB",
        "Can FIS grant clearance",
        "FIS cannot grant clearance; only the controlling station can provide clearance.",
    ),
    (
        "PL",
        "Are military airfields",
        "Military airfields are not available for civilian use since Putin invaded Ukraine.",
    ),
    (
        "GG",
        "If IFR practical in Class G, is an FPL",
        "An FPL is required more than 1 hour before the flight.",
    ),
    (
        "NO",
        "use of local language",
        "Local language is usually not used, but sometimes it can be used for emergencies.",
    ),
    ("FR", "IFR permitted", "IFR is permitted and practical in Class G."),
    ("BE", "Class C airspace, what are the tr", "A mode S transponder is required in Class C airspace."),
    ("SE", "requirements to enter Class D and", "A clearance is required to enter Class D and Class C."),
    ("DE", "are you required to use FIS", "You are not required to use FIS, but it is good airmanship."),
    (
        "CH",
        "requirements to enter Class D and",
        "Radio communication is needed for Class D, and a clearance for Class C (except Geneva TMA).",
    ),
    (
        "FR",
        "For ATC at an airfield, what permissions are required in the air",
        "Radio contact is required; follow instructions.",
    ),
    (
        "BE",
        "Is a clearance required for a VFR",
        "No clearance is required; there is no class E airspace in Belgium.",
    ),
    ("SE", "Is PPR generally", "PPR is not generally required, but frequently it is."),
    (
        "IE",
        "Is PPR generally",
        "PPR is generally required. At some airfields PPR is by telephone and/or email.",
    ),
    ("DE", "penetration of Prohibited", "Penetration of prohibited zones is a criminal act."),
    ("GB", "If PPR is required", "An FPL is not considered sufficient."),
    ("PL", "penetration of Restricted", "There is no entry into restricted areas."),
    ("IT", "Can you rely on FIS", "You cannot rely on FIS in mountain areas: no coverage 70% of the time."),
    ("GB", "Abided", "The rules are sometimes abided by."),
    ("NL", "How far from", "The first call is made 10 minutes out."),
    (
        "GB",
        "approaching an airfield without",
        "Outside controlled airspace it is at pilot discretion; inside controlled airspace a minimum will be listed.",
    ),
    ("IE", "Is a clearance required for a VFR", "No clearance is required."),
    ("GB", "Gliding", "Gliding launch sites should be avoided."),
)
LEAST_BORNE = 0.8  # of the rewordings; for the rest the country's own words stand there


@cache
def _questions() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))["questions"]


def _faults(country: str, part: str, statement: str) -> tuple[str, ...]:
    for row in _questions():
        answer = row["answers_by_country"].get(country, {})
        if part.lower() in row["question_text"].lower() and answer.get("answer_html", "").strip():
            text, links = plain_text(answer["answer_html"])
            rule = Rule(n=1, country=country, question=row["question_text"], text=text, links=links)
            return faults_of(Statement(country=country, text=statement, rules=(1,)), {1: rule}, (country,))
    raise AssertionError(f"{country} answers nothing on {part}")


@pytest.mark.parametrize(("country", "part", "statement"), TURNED)
def test_what_turns_a_rule_round_is_refused(country: str, part: str, statement: str) -> None:
    assert _faults(country, part, statement)


def test_most_of_what_says_the_same_is_shown() -> None:
    borne = [one for one in REWORDED if not _faults(*one)]
    assert len(borne) / len(REWORDED) >= LEAST_BORNE
