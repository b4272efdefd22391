"""Situations for risk elements, and the ways to ask for hazard, assessment and mitigation in one question."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog.topic import Topic, topic

ENDINGS: Final[tuple[str, ...]] = (
    "What concerns you here, how serious is it, and what will you do about it?",
    "Tell me what could go wrong, how likely and how bad you judge it, and how you keep it from happening.",
    "Where is the danger, what makes it bigger or smaller, and how do you deal with it?",
    "How do you size this up: the hazard, its weight today, and your way of handling it?",
    "What do you see as the hazard, how do you judge it, and what is your plan?",
    "Talk me through it: what is the threat, how serious is it, and what do you do to bring it down?",
    "What worries you about that, when would it worry you most, and what do you do?",
)
"""Each invites all three without naming any. A situation stands before it."""

TOPICS: Final[tuple[Topic, ...]] = (
    topic(
        r"proficien",
        r"current|lost proficiency|landings",
        never=(r"night landings",),
        forms=(
            "By the logbook you are legal to take a friend along, but you have hardly flown since spring.",
            "You last flew some weeks ago, the paperwork is in order, and tomorrow's destination is new to "
            "you.",
        ),
    ),
    topic(
        r"unfamiliar airplane|avionics|unfamiliar",
        r"handbook|switch|menu|simulator",
        forms=(
            "A club lends you an airplane with a glass panel that you have never used, for a trip this "
            "weekend.",
            "You are offered a type of airplane you do not know for tonight's flight to a big city.",
        ),
    ),
    topic(
        r"defect|inoperative",
        r"mechanic|walk-around|91\.213|failed item",
        forms=(
            "On the walk-around something does not work, and your passengers stand there with their bags.",
            "Ten minutes before a planned departure you discover that a piece of equipment has failed.",
        ),
    ),
    topic(
        r"fuel exhaustion|fuel",
        r"reserve|headwind|gauge",
        forms=(
            "You are far from home, the last place to fill up is behind you, and the needles read lower "
            "than you expected.",
            "You plan a long leg that your airplane can just about make without stopping.",
        ),
    ),
    topic(
        r"external pressure|pressure",
        r"passengers|family|meeting",
        forms=(
            "Your sister's wedding begins at four, everybody counts on you, and the weather along the way "
            "is doubtful.",
            "The boss sits in the right seat, wants to be there by noon, and the sky ahead is getting "
            "darker.",
        ),
    ),
    topic(
        r"airspace",
        r"clearance|boundar|intrusion",
        forms=(
            "Your planned track squeezes between a Class B area and a restricted area.",
            "You fly an unfamiliar route past several kinds of airspace, and there is much to do in the "
            "cockpit.",
        ),
    ),
    topic(
        r"IMSAFE|tired|fitness",
        r"sleep|ill|tired|postpone",
        forms=(
            "You slept badly, your nose is running, and a long flight over the mountains is on the schedule.",
            "After a hard week you feel a bit off on the morning of a demanding flight.",
        ),
    ),
    topic(
        r"hazardous attitude",
        forms=(
            "Every pilot meets hazardous attitudes in himself. Name them, say when they take hold and how "
            "much harm they do, and tell me how you "
            "counter one.",
            "“Rules are for others, and nothing ever happens to me.” Which hazardous attitudes do you "
            "know, when is a pilot most open to "
            "them, and how do you answer one?",
        ),
    ),
    topic(
        r"misheard|misunderstanding|similar call sign",
        forms=(
            "At a busy airport that is new to you the controller speaks fast, and you are not sure whom "
            "that last instruction was meant for.",
            "Another airplane on the frequency has a call sign much like yours.",
        ),
    ),
    topic(
        r"declar",
        r"emergency",
        forms=(
            "The engine runs rough and you slowly lose height; you would rather not make a fuss on the "
            "radio.",
            "You are lost, it gets dark, and fuel is going down. Somebody has to decide whether this is an "
            "emergency.",
        ),
    ),
    topic(
        r"collision|midair",
        r"pattern|scan",
        forms=(
            "On a sunny Saturday several airplanes are in the pattern of a field, and you want to join them.",
            "You are on base leg, somebody calls final, and you cannot find the other airplane.",
        ),
    ),
    topic(
        r"vortic|wake turbulence",
        forms=(
            "You are next to land, behind an airliner.",
            "A heavy jet has just taken off from the runway that you are cleared to use.",
        ),
    ),
    topic(
        r"runway incursion|taxiing onto a runway|taxi",
        r"runway",
        forms=(
            "It is night, and you have to taxi from one end to the other of an airport you do not know.",
            "You get a long taxi clearance in the dark and are not certain that you have all of it.",
        ),
    ),
    topic(
        r"cloud",
        r"night|dark",
        forms=(
            "You plan to fly home VFR tonight, and the forecast speaks of a few clouds along the way.",
            "Two hours after sunset the lights on the ground ahead grow dim, one after the other.",
        ),
    ),
    topic(
        r"night",
        r"proficien|landings|currency",
        forms=(
            "Tonight you could legally take passengers, but night landings have been rare for you this year.",
            "You kept your night currency, always at home, and now a friend would like to be flown to his "
            "village after dark.",
        ),
    ),
    topic(
        r"wind shear|microburst",
        forms=(
            "The field reports gusts from changing directions, and the airplane ahead lost a lot of speed "
            "on final.",
        ),
    ),
    topic(
        r"stall|spin",
        forms=("You overshoot the turn to final, low and slow, and feel the wish to tighten it.",),
    ),
    topic(
        r"icing|\bice\b",
        forms=("You fly just below a cloud deck in winter, and it begins to drizzle.",),
    ),
    topic(
        r"thunderstorm",
        forms=("Your route leads between two building cumulus towers on a hot afternoon.",),
    ),
    topic(
        r"distract|situational awareness",
        forms=("In the middle of a busy arrival a door pops open and your passenger begins to shout.",),
    ),
)
