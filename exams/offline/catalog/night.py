"""Questions about the night: eyes, lights, illusions."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog.topic import Topic, topic

TOPICS: Final[tuple[Topic, ...]] = (
    topic(
        r"position lights",
        r"sunset",
        never=(r"equipment|fuses",),
        forms=(
            "You taxi out as the sun goes down. Which lights must be burning on the airplane, and between "
            "which hours?",
            "Between which times does an airplane have to show its position lights?",
        ),
    ),
    topic(
        r"anticollision light",
        r"turn(?:s|ed)? (?:them )?off|interest of safety|need not be lighted",
        forms=(
            "When do the anticollision lights have to be on, and what would let a pilot switch them off?",
            "It is broad daylight, and you start the engine. What is the rule on the anticollision lights, "
            "and where does it give way?",
        ),
    ),
    topic(
        r"dark",
        r"adapt",
        r"30 minutes",
        forms=(
            "How long do your eyes need to get used to the dark, and how is that lost again?",
            "You walk from a bright office to the airplane at night. What do your eyes need, and what "
            "would spoil it?",
        ),
    ),
    topic(
        r"to the side|off[- ]cent",
        r"rods|center of the eye|night",
        forms=(
            "At night an airplane seems to vanish whenever you look straight at it. How do you look "
            "instead, by how much, and why?",
            "How does scanning for traffic in the dark differ from scanning by day, and what in the eye is "
            "the reason?",
        ),
    ),
    topic(
        r"red light",
        r"chart|night vision",
        forms=(
            "How do you light the cockpit so that you keep your night vision, and what is the drawback of "
            "a red lamp?",
            "You need to read a chart on a night flight. What light do you use, and what could it hide "
            "from you?",
        ),
    ),
    topic(
        r"flashlight",
        forms=(
            "Which light of your own do you bring on a night flight, and where do you keep it?",
            "What do you carry along in case the panel goes dark at night, and where do you keep it?",
        ),
    ),
    topic(
        r"black-hole|unlit ground|featureless",
        forms=(
            "You approach a bright runway at night across dark water, with no other lights around. What do "
            "your eyes tell you, and where does that lead?",
            "How does an approach over dark country fool a pilot, and what does the airplane then do?",
        ),
    ),
    topic(
        r"autokinesis",
        forms=(
            "You watch a lone light ahead on a black night, and it begins to wander. What is going on, and "
            "how do you stop it?",
            "What is autokinesis, and what helps against it?",
        ),
    ),
    topic(
        r"left wing",
        r"right wing",
        r"red",
        r"green",
        forms=(
            "Which lights does another airplane show at night, and where on it do they sit?",
            "Describe an airplane as seen from above at night: its position lights, their colors and their "
            "places.",
        ),
    ),
    topic(
        r"red and a green light|red and green.*together",
        r"toward",
        forms=(
            "At night you make out two colored lights of one airplane, the green on your left and the red "
            "on your right. Where is it going?",
            "Ahead of you in the dark an airplane shows red on the right side and green on the left. What "
            "does that tell you?",
        ),
    ),
    topic(
        r"only a red light|only a white light|only a green light",
        forms=(
            "At night all you can see of another airplane is its red light. Which way is it moving, and "
            "what if you saw just the white one?",
            "You see a single position light of another airplane. What does its color tell you about where "
            "the airplane is going, first red, "
            "then white?",
        ),
    ),
    topic(
        r"rotating beacon|airport beacon",
        forms=(
            "You look for a civil land airport in the dark. What does its beacon look like?",
            "Which colors tell you that the beacon you see at night belongs to a civil land airport?",
        ),
    ),
    topic(
        r"clicks|pilot-controlled lighting",
        forms=(
            "You are inbound at night to a field with pilot-controlled lighting. How do you set the lights "
            "to the brightness you want?",
            "How do you work pilot-controlled lighting from the cockpit?",
        ),
    ),
    topic(
        r"taxiway edge lights",
        r"runway edge lights",
        forms=(
            "How do you tell runways from taxiways at night by the color of their lights, and where do "
            "runway lights change?",
            "You taxi in after a night landing. Which colors mark the edges of the runway and of the "
            "taxiways?",
        ),
    ),
)
