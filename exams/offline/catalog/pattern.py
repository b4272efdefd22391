"""Questions about airports: pattern, tower, advisory frequency, right-of-way."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog.topic import Topic, topic

TOPICS: Final[tuple[Topic, ...]] = (
    topic(
        r"without (?:an )?operating control tower|without a tower",
        r"turns",
        r"left",
        forms=(
            "You arrive at a field without a tower. In which direction do you turn in the pattern, and "
            "what would change that?",
            "Nobody is in the tower, if there is one at all. Which way do you fly the pattern, and how "
            "would you learn that it is otherwise?",
        ),
    ),
    topic(
        r"pattern altitude is",
        r"1,000",
        forms=(
            "How high is the usual traffic pattern, and where would another height come from?",
            "You visit an airport for which you have found no pattern height. At what height do you fly "
            "it, and from what is that measured?",
        ),
    ),
    topic(
        r"45 degrees",
        r"downwind|pattern",
        forms=(
            "Describe how you join the pattern at a field without a tower: the angle, the place and the "
            "height.",
            "You are a few miles out and about to join the downwind leg. How do you do it, and what should "
            "be finished before?",
        ),
    ),
    topic(
        r"crosswind leg",
        r"300 feet|departure end",
        forms=(
            "You take off and stay in the pattern. When do you turn crosswind?",
            "On upwind after a touch-and-go, what must be behind you and how high must you be before the "
            "next turn?",
        ),
    ),
    topic(
        r"class G",
        r"tower",
        r"4 nautical miles",
        forms=(
            "A control tower stands at a field in Class G airspace. By when must you have called it, and "
            "up to what height does that hold?",
        ),
    ),
    topic(
        r"operating control tower|class D",
        r"two-way radio",
        r"clearance to (?:take off|land)",
        forms=(
            "You fly into an airport whose tower is open. What must you have from the tower to land there, "
            "and to leave again?",
            "What do you need, by radio, to use a runway at a towered airport?",
        ),
    ),
    topic(
        r"common traffic advisory frequency|CTAF",
        forms=(
            "You come in to land where there is no tower. What do you say on the radio, on which "
            "frequency, and from how far out?",
            "How do pilots keep track of each other by radio at a field without a tower: what is said, "
            "where, and from how far out?",
        ),
    ),
    topic(
        r"automatic terminal information|ATIS",
        forms=(
            "You tune in the ATIS before calling the tower. What do you hear there, and what of it do you "
            "pass on?",
            "What does an ATIS broadcast tell you, and how does the controller know that you have it?",
        ),
    ),
    topic(
        r"in distress",
        r"right-of-way",
        forms=(
            "An airplane close to you has lost its engine. Who has the right-of-way, and over whom?",
            "To which aircraft does everybody else in the air have to give way?",
        ),
    ),
    topic(
        r"balloon|glider|airship|towing",
        r"right-of-way",
        r"different categories|towing",
        forms=(
            "Your path crosses that of a {category}. Who has the right-of-way, and over whom else does "
            "that rule hold?",
        ),
    ),
    topic(
        r"converg",
        r"right",
        r"right-of-way",
        never=(r"vessel",),
        forms=(
            "Another airplane closes in from your left, at your height, on a crossing course. Who has to "
            "give way, and why?",
            "Two airplanes are on crossing courses at the same height. How do you know which of them may "
            "go on?",
        ),
    ),
    topic(
        r"head-on",
        r"to the right",
        never=(r"vessel",),
        forms=(
            "Another airplane comes straight at you, at your height. What does each of the two pilots do?",
            "What do the rules want when you meet another aircraft nose to nose?",
        ),
    ),
    topic(
        r"overtak",
        r"right-of-way",
        never=(r"vessel|final approach to land",),
        forms=(
            "You are catching up with a slower airplane. Who has the right-of-way, and how do you get past?",
            "How do you go by an airplane that is slower than yours, and whose right is it to stay on "
            "course?",
        ),
    ),
    topic(
        r"right-of-way",
        r"lower",
        r"approach|landing",
        forms=(
            "Two airplanes come in to land on the same runway, one beneath the other. Who goes first, and "
            "what may that pilot not do?",
            "How is it settled who lands first, and what must nobody do with that right?",
        ),
    ),
    topic(
        r"right-of-way",
        r"final approach",
        forms=(
            "You wait to take off, and an airplane turns final. How is the right-of-way settled, and what "
            "may the landing pilot not do?",
        ),
    ),
    topic(
        r"so close to another aircraft",
        forms=("How near can you fly to another airplane?",),
    ),
    topic(
        r"formation flight",
        forms=(
            "A friend suggests that you fly side by side to take pictures. What do the rules say about that?",
        ),
    ),
)
