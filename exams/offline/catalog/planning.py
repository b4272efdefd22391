"""Questions about planning: information, fuel, altitudes, flight plans."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog.topic import Topic, topic

TOPICS: Final[tuple[Topic, ...]] = (
    topic(
        r"weather reports",
        r"fuel requirements",
        r"alternatives",
        forms=(
            "You are going to an airport two hours away. What must you have looked into before you leave?",
            "Name the kinds of information that a PIC has to have gathered before a flight to another airport.",
        ),
    ),
    topic(
        r"runway lengths",
        forms=(
            "Whatever flight you make, what must you know about the runways you mean to use and about your "
            "airplane on them?",
            "Your friend's strip is new to you. Which figures do the preflight rules make you look up "
            "before you go there?",
        ),
    ),
    topic(
        r"all available information",
        forms=(
            "You only want to fly around the home field this morning. How much do you have to find out "
            "before you take off?",
            "How far does a pilot in command's duty to be informed go, before even the shortest flight?",
        ),
    ),
    topic(
        r"fuel",
        r"first point of intended landing|30 minutes",
        r"30 minutes",
        r"\bday\b",
        forms=(
            "You leave VFR at noon for a field beyond the hills. How much fuel do the rules want on board "
            "before you begin?",
            "What fuel reserve does VFR by day call for, and how is it reckoned?",
            "The sun is high, the weather is fine, and you fly VFR. What is the least fuel you could "
            "legally set out with?",
        ),
    ),
    topic(
        r"fuel",
        r"first point of intended landing|45 minutes",
        r"45 minutes",
        r"night",
        forms=(
            "It will be dark all the way home, and you fly VFR. How much fuel do the rules want on board "
            "before you begin?",
            "What fuel reserve does VFR at night call for, and how is it reckoned?",
            "You planned a VFR flight for the afternoon and now leave after nightfall. How much fuel must "
            "be on board before you set out?",
        ),
    ),
    topic(
        r"odd thousand",
        forms=(
            "You cruise VFR, high above the ground, and your magnetic course is 075. Which altitudes are "
            "yours?",
            "How do you choose a VFR cruising altitude for a trip that takes you due east?",
        ),
    ),
    topic(
        r"even thousand",
        forms=(
            "You cruise VFR, high above the ground, and your magnetic course is 240. Which altitudes are "
            "yours?",
            "How do you choose a VFR cruising altitude for a trip that takes you due west?",
        ),
    ),
    topic(
        r"city|congested area",
        r"1,000 feet",
        r"2,000 feet",
        never=(r"ceiling",),
        forms=(
            "Your route crosses a town. How low may you go there, and from what is that height measured?",
            "A passenger wants to see the stadium from above during a game. What height do you keep, and "
            "over what?",
        ),
    ),
    topic(
        r"other than congested|sparsely populated",
        r"500 feet",
        forms=(
            "You fly over farmland, and later along an empty lake shore. What heights and distances do the "
            "rules ask of you?",
            "How low can you legally go away from towns, and what is different over open water?",
        ),
    ),
    topic(
        r"emergency landing",
        r"undue hazard",
        forms=(
            "An engine can fail anywhere. What must the altitude you choose always leave you?",
            "Leave the figures aside: which rule on minimum altitude holds wherever you fly?",
        ),
    ),
    topic(
        r"altimeter",
        r"set",
        r"reported|31\.00|29\.92|station",
        forms=("To what do you set the altimeter as you cruise along below the flight levels?",),
    ),
    topic(
        r"flight plan",
        r"clos|cancel",
        r"tower|yourself|notify",
        forms=(
            "You have landed at a towered airport at the end of a VFR flight plan. Who closes it, and how "
            "does that come about?",
            "Who has to see to it that a VFR flight plan is closed, and what does the tower do about it?",
        ),
    ),
    topic(
        r"flight plan",
        r"search",
        r"30 minutes",
        forms=(
            "You land, drive home and forget about your VFR flight plan. What happens, and when?",
            "How long does it take until somebody goes looking for you when a VFR flight plan stays open?",
        ),
    ),
    topic(
        r"filing|filed",
        r"activat",
        r"flight plan",
        forms=(
            "You filed a VFR flight plan last night. What still has to happen before anybody watches over "
            "your flight?",
            "What turns a filed VFR flight plan into a live one, and who sees to it?",
        ),
    ),
    topic(
        r"VFR flight plan",
        r"include",
        forms=(
            "You file a VFR flight plan with Flight Service. Which particulars of the flight do you give "
            "them?",
        ),
    ),
)
