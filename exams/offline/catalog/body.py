"""Questions about the pilot's body and mind: oxygen, illness, alcohol, decisions."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog.topic import Topic, topic

TOPICS: Final[tuple[Topic, ...]] = (
    topic(
        r"supplemental oxygen",
        r"12,500",
        forms=(
            "You are going to spend an hour at a cabin altitude of 13,500 feet. From when does the "
            "required crew need oxygen?",
            "Your flight stays at a cabin pressure altitude of 13,000 feet for a good while. What do the "
            "rules ask of the crew?",
        ),
    ),
    topic(
        r"oxygen",
        r"15,000",
        forms=(
            "You take passengers over the mountains at a cabin altitude of 16,000 feet. What do the rules "
            "say about oxygen for the people in the "
            "back?",
            "How high does the cabin have to be before passengers come into the oxygen rule, and what are "
            "they owed?",
        ),
    ),
    topic(
        r"oxygen",
        r"14,000",
        r"crew",
        forms=(
            "For how much of the time must the required flight crew be on oxygen at a cabin altitude of "
            "14,500 feet?",
            "You climb to a cabin pressure altitude of 14,500 feet. What does the oxygen rule want of the "
            "crew there?",
        ),
    ),
    topic(
        r"hypoxia",
        r"cure|remedy|descent|descend",
        forms=(
            "High up, your passenger's fingernails turn blue and he begins to joke about it. What do you "
            "do, and how soon?",
            "How do you treat hypoxia once you notice it in flight?",
        ),
    ),
    topic(
        r"hypoxia",
        r"lack of oxygen|oxygen in the body|insufficient oxygen|symptoms|signs",
        forms=(
            "Explain hypoxia to a passenger who has never heard the word: what it is and how it shows.",
            "What is hypoxia, and how would you notice it coming on?",
        ),
    ),
    topic(
        r"hyperventilat",
        r"slow|paper bag|talk",
        forms=(
            "Your passenger is frightened, gasps for air and complains of tingling hands. What do you have "
            "them do?",
            "How does a pilot get over hyperventilation in flight?",
        ),
    ),
    topic(
        r"hyperventilation",
        r"breathing|carbon dioxide",
        forms=(
            "What goes on in the body of someone who hyperventilates, what sets it off, and how does it "
            "feel?",
            "Explain hyperventilation: where it comes from, what it does to the body, and how you would "
            "recognize it.",
        ),
    ),
    topic(
        r"carbon monoxide",
        r"suspect|heater off|vents",
        forms=(
            "On a winter flight you get a headache, and the detector in the cabin turns dark. What do you "
            "do, step by step?",
            "You smell exhaust in the cabin and feel dull. Carbon monoxide comes to mind: what are your "
            "actions?",
        ),
    ),
    topic(
        r"carbon monoxide",
        forms=(
            "How does carbon monoxide get into the cabin of a light airplane, and what makes it so "
            "dangerous?",
            "Why is carbon monoxide hard to notice, where does it come from, and what does it do to you?",
        ),
    ),
    topic(
        r"spatial disorientation",
        r"remedy|believe|trust|rely",
        forms=(
            "In thick haze you would swear that you are turning, and the attitude indicator shows wings "
            "level. What do you do?",
            "How do you get out of spatial disorientation?",
        ),
    ),
    topic(
        r"spatial disorientation",
        r"inner ear|horizon|vestibular",
        forms=(
            "How does spatial disorientation come about in the body?",
            "Why can a pilot who no longer sees the horizon lose track of which way is up?",
        ),
    ),
    topic(
        r"scuba|diving",
        forms=(
            "You went scuba diving this morning. How long do you wait before you fly, and on what does it "
            "depend?",
            "How does a day of scuba diving bear on when you can fly, and how high?",
        ),
    ),
    topic(
        r"within 8 hours",
        r"alcohol",
        forms=(
            "You had a beer with dinner. How long must it be before you act as a crewmember?",
            "How much time has to lie between your last drink and your next flight?",
        ),
    ),
    topic(
        r"0\.04|under the influence",
        r"alcohol",
        forms=(
            "A pilot stopped drinking long enough ago by the clock, and still feels a little slow. Which "
            "other limits on alcohol apply?",
            "Apart from the hours since the last drink, what does the rule on alcohol forbid a crewmember?",
        ),
    ),
    topic(
        r"intoxicated",
        forms=(
            "A passenger turns up smelling of whiskey and swaying. What does the rule ask of you, and "
            "where are its exceptions?",
            "How do you deal with someone who wants to board drunk, and when would it be different?",
        ),
    ),
    topic(
        r"antihistamine|without a prescription|over[- ]the[- ]counter",
        forms=(
            "You have a cold and buy something for it at the drugstore. What concerns you about flying "
            "with it, and whom do you ask?",
            "Why do ordinary medicines from the drugstore matter to a pilot, and what do you do before you "
            "fly with them?",
        ),
    ),
    topic(
        r"drug",
        r"faculties|contrary to safety",
        forms=(
            "You take something for your back that makes you sleepy. What does the rule on drugs say about "
            "flying with it?",
            "Which drugs keep a crewmember on the ground by regulation?",
        ),
    ),
    topic(
        r"aeronautical decision-making",
        r"systematic|resource management",
        forms=(
            "What do you understand by aeronautical decision-making, and how does single-pilot resource "
            "management go with it?",
            "Explain in your own words how ADM and single-pilot resource management help you as a pilot "
            "flying alone.",
        ),
    ),
    topic(
        r"IMSAFE",
        forms=(
            "Before you leave home you check yourself, not the airplane. Go through IMSAFE with me, letter "
            "by letter.",
            "What does each letter of IMSAFE ask you about?",
        ),
    ),
)
