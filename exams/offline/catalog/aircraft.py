"""Questions about the airplane: who answers for it, papers, inspections, equipment, defects."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog.topic import Topic, topic

TOPICS: Final[tuple[Topic, ...]] = (
    topic(
        r"owner or operator",
        r"primarily responsible",
        forms=(
            "You rent an airplane from a club. Who has to see to it that it stays airworthy from one "
            "flight to the next?",
            "Who answers first of all for an airplane's airworthiness?",
        ),
    ),
    topic(
        r"pilot in command",
        r"condition for safe flight|unairworthy",
        forms=(
            "Before takeoff, who decides that this airplane is fit to fly, and what has to happen if "
            "something breaks on the way?",
            "Halfway to your destination a piece of the engine cowling works loose. What is your duty as "
            "PIC, on the ramp and now?",
        ),
    ),
    topic(
        r"no (?:person|one) may operate",
        r"airworthy condition",
        forms=("In what state must an airplane be before anyone may operate it?",),
    ),
    topic(
        r"airworthiness certificate",
        r"registration",
        forms=(
            "You open the door of a rental airplane that is new to you. Which certificates of the airplane "
            "do you look for, and how must they "
            "be kept?",
            "Which certificates must an airplane have on board, and which of them has its own place?",
        ),
    ),
    topic(
        r"airworthiness certificate",
        r"displayed|legible",
        forms=("Where does an airplane's airworthiness certificate have to be?",),
    ),
    topic(
        r"operating limitations|flight manual",
        r"available|placards|markings",
        never=(r"takeoff and landing distance",),
        forms=(
            "Where in the airplane do you find its operating limitations, and in what form must they be "
            "there?",
            "What must be on board so that a pilot can look up what the airplane may and may not do?",
        ),
    ),
    topic(
        r"100[- ]hour",
        r"exceed",
        forms=(
            "A flight school airplane comes due for the inspection that is counted in flight hours while "
            "it is away from the shop. How much "
            "leeway is there, and for what?",
            "What leeway is there when the inspection counted in flight hours comes due far from the shop, "
            "and what may it be used for?",
        ),
    ),
    topic(
        r"100[- ]hour|100 hours",
        r"hire|instruct",
        forms=(
            "The flight school teaches in its own airplanes. Which inspection do they need on top of the "
            "yearly one, how often, and for what "
            "kind of work?",
            "What makes an airplane need more than an annual inspection, and how often is the additional "
            "one due?",
        ),
    ),
    topic(
        r"annual inspection",
        r"12 calendar months",
        forms=(
            "How often does an airplane need its annual inspection, and what must come of it before anyone "
            "flies?",
            "You page through the airplane's logbooks. Which regular inspection must every one of them "
            "show, how recent, and with what result?",
        ),
    ),
    topic(
        r"transponder",
        r"tested",
        r"24 calendar months",
        forms=(
            "You look for the transponder in the maintenance records. How recent must its last test be for "
            "you to use it?",
            "How often does a transponder have to be checked, and what if it was not?",
        ),
    ),
    topic(
        r"altimeter",
        r"static",
        r"24 calendar months",
        forms=(
            "For IFR in controlled airspace, how recent must the test of the altimeter and its static "
            "system be?",
            "Which test do the altimeter and static lines need before an IFR flight, and how often?",
        ),
    ),
    topic(
        r"emergency locator transmitter",
        r"batter",
        r"replaced|recharged",
        forms=("When do the batteries of the ELT have to be replaced?",),
    ),
    topic(
        r"emergency locator transmitter",
        r"inspected",
        r"12 calendar months",
        forms=(
            "How often does somebody have to look at the ELT?",
            "What inspection does the ELT need, and how often?",
        ),
    ),
    topic(
        r"\bday\b",
        r"airspeed indicator",
        r"altimeter",
        r"gauge",
        forms=(
            "Which instruments and gauges does the airplane need for VFR by day?",
            "Go across the panel with me: what must be there for a VFR flight in daylight?",
        ),
    ),
    topic(
        r"night",
        r"position lights",
        r"anticollision light",
        r"fuses",
        forms=(
            "The sun is going down and you mean to go on flying VFR. What equipment does the airplane need "
            "beyond what it needed this afternoon?",
            "What is added to the list of required equipment when a VFR flight goes into the night?",
        ),
    ),
    topic(
        r"VFR flight (?:during the day|by day)",
        r"instruments and equipment are required",
        forms=(
            "Go through the instruments and equipment that the rules call for on a VFR flight in daylight.",
        ),
    ),
    topic(
        r"VFR flight at night",
        r"instruments and equipment are required",
        forms=("Go through what the rules add to the equipment list once a VFR flight is at night.",),
    ),
    topic(
        r"inoperative",
        r"type certifica|equipment list",
        r"airworthiness directive",
        forms=(
            "On the walk-around an instrument turns out not to work, and there is no minimum equipment "
            "list. How do you find out whether it "
            "must be fixed before you go?",
            "Without a minimum equipment list, what decides that a broken item keeps the airplane on the "
            "ground?",
        ),
    ),
    topic(
        r"inoperative",
        r"placard",
        r"deactivated|removed",
        forms=(
            "A broken item turns out not to be needed for today's flight. What has to be done with it "
            "before you leave?",
            "The second radio is dead, and nothing requires it today. How do you make the airplane legal "
            "to go?",
        ),
    ),
    topic(
        r"inoperative",
        r"determin",
        r"hazard",
        forms=(
            "The dead radio is switched off and labeled. What judgment is still missing before the "
            "airplane can go, and who can make it?",
            "Once a failed item has been dealt with and marked, what remains to be decided, and by whom?",
        ),
    ),
    topic(
        r"minimum equipment list",
        r"letter of authorization",
        forms=(
            "An operator tells you that this very airplane has a minimum equipment list. What does that "
            "change, and what must be on board?",
            "What role does a minimum equipment list play once the FAA has approved one?",
        ),
    ),
    topic(
        r"airworthiness directive",
        r"mandatory|comply|complies",
        forms=(
            "In the records of the airplane you discover an airworthiness directive that nobody has signed "
            "off. What does that mean for your "
            "flight?",
            "How binding is an airworthiness directive?",
        ),
    ),
    topic(
        r"special flight permit",
        forms=(
            "The annual ran out yesterday and the shop is at another airport, an easy flight away. What "
            "could make that flight legal?",
            "What is a special flight permit for?",
        ),
    ),
    topic(
        r"inoperative",
        r"without an approved minimum equipment list",
        forms=(
            "Something on the airplane is inoperative, and there is no minimum equipment list for it. "
            "Under what conditions may you still take off?",
        ),
    ),
    topic(
        r"simulated instrument flight",
        r"safety pilot|dual controls|vision",
        forms=(
            "A friend wants to practice under the hood with you in the other seat. What do the rules ask "
            "of you as safety pilot, and of the airplane?",
        ),
    ),
    topic(
        r"flight instruction",
        r"dual controls",
        forms=(
            "You would like to take lessons in your own airplane. What do the rules say about the controls "
            "it needs?",
        ),
    ),
    topic(
        r"parachute",
        r"packed|approved type",
        forms=(
            "Somebody brings a parachute along for emergencies. What has to be true of it before you may "
            "allow it on board?",
        ),
    ),
    topic(
        r"acrobatic|aerobatic",
        forms=(
            "Your friend asks for a loop. Where, and under what conditions, do the rules allow acrobatic "
            "flight?",
        ),
    ),
    topic(
        r"experimental certificate",
        forms=(
            "A neighbor offers you a ride in an airplane with an experimental certificate. Which limits "
            "come with such a certificate?",
        ),
    ),
    topic(
        r"owner or operator",
        r"inspect|maintenance|discrepanc|records?",
        forms=("What do the maintenance rules expect of the owner or operator of an airplane?",),
    ),
    topic(
        r"records",
        r"retained|kept|keep",
        forms=("Which maintenance records have to be kept for an airplane, and for how long?",),
    ),
    topic(
        r"(?:safety belt|shoulder harness)",
        r"briefed|notified",
        forms=(
            "Your passengers have never been in a small airplane. What must you see to about their belts "
            "before you go?",
        ),
    ),
    topic(
        r"(?:safety belt|shoulder harness)",
        r"crewmember",
        forms=("When does a required crewmember have to be strapped in, and with what?",),
    ),
    topic(
        r"(?:safety belt)",
        r"each person on board|each occupant",
        forms=("Who on board has to be belted in, and during which phases?",),
    ),
)
