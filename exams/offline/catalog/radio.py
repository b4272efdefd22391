"""Questions about talking with ATC: clearances, light signals, lost communication, transponder codes."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog.topic import Topic, topic

TOPICS: Final[tuple[Topic, ...]] = (
    topic(
        r"acknowledge",
        r"rock|blink|wings",
        forms=(
            "The tower has sent you a light signal. How do you show by day that you got it, and how at "
            "night?",
            "Without a radio, how do you answer a light signal from the tower in flight?",
        ),
    ),
    topic(
        r"radio fails|communications? (?:is|are) lost|radio failure",
        r"weather conditions|visual contact",
        r"clearance to land",
        forms=(
            "Your radio has failed on a VFR flight, and the towered field is in sight. What has to be "
            "given before you land there?",
        ),
    ),
    topic(
        r"radio fails|communications? (?:is|are) lost|radio failure",
        r"light signals|pattern",
        forms=(
            "You are inbound VFR to a towered airport when the radio goes silent. Walk me through the rest "
            "of the flight.",
            "How do you get into a towered field in VFR weather once your radio has quit?",
        ),
    ),
    topic(
        r"(?:steady|flashing|alternating) (?:red|green|white)",
        r"means",
        forms=(
            "Your radio is dead, and the tower shows you {signal}. What does it tell you in the air, and "
            "what on the ground?",
            "What does {signal} from the tower mean to you in flight, and what while you taxi?",
            "Picture {signal} coming from the tower cab. How do you act on it, airborne and on the ground?",
        ),
    ),
    topic(
        r"7700",
        r"7500|interference|emergency",
        never=(r"mayday|pan-pan",),
        forms=(
            "Which transponder code goes with an emergency, and which with a hijacking?",
            "Tell me the special transponder codes for a general emergency and for unlawful interference.",
        ),
    ),
    topic(
        r"7600",
        forms=(
            "Your radio has just quit. What can you set on the transponder, and what does it tell the "
            "controllers?",
            "How can the transponder let ATC know that you can no longer talk to them?",
        ),
    ),
    topic(
        r"code 1200|\b1200\b",
        forms=(
            "You fly VFR and nobody has assigned you a code. What do you set on the transponder?",
            "Which code does the transponder show on an ordinary VFR flight without radar service?",
        ),
    ),
    topic(
        r"deviate from",
        r"clearance",
        forms=(
            "ATC has given you a clearance that you accepted. Under what circumstances may you depart from "
            "it?",
            "How binding is a clearance once you have it, and what lets you do something else?",
        ),
    ),
    topic(
        r"uncertain|clarif",
        r"clearance|instruction",
        forms=(
            "You are not sure what the controller just cleared you for. What does the rule make you do, "
            "and how soon?",
            "How must a pilot deal with a clearance that was hard to understand?",
        ),
    ),
    topic(
        r"hold short",
        r"read",
        forms=(
            "Ground control tells you to hold short of runway 27. How do you answer?",
            "What has to be in your reply when the controller stops you ahead of a runway?",
        ),
    ),
    topic(
        r"taxi onto or across|operate an aircraft on a runway or taxiway|taxi.*runway.*clearance|"
        r"clearance.*taxi.*runway",
        forms=(
            "You taxi out at a towered airport, and another runway lies across your way. What do you need "
            "before you get to its far side?",
            "What must you have from the controllers at a towered field before your wheels touch any runway?",
        ),
    ),
)
