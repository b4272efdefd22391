"""Questions about the pilot: papers, currency, privileges, the medical."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog.topic import Topic, topic

TOPICS: Final[tuple[Topic, ...]] = (
    topic(
        r"pilot certificate",
        r"photo identification|government[- ]issued",
        r"readily accessible|physical possession|with you",
        never=(r"law enforcement|for inspection",),
        forms=(
            "You are about to take the airplane up as pilot in command. What personal documents do you "
            "need, and where do they have to be?",
            "Picture yourself at the airplane, ready to go. Which papers of your own must be within reach "
            "before you fly as PIC?",
            "Leave the airplane's papers aside for a moment. Which documents does the pilot have to bring "
            "along?",
        ),
    ),
    topic(
        r"inspect",
        r"law enforcement|NTSB|Transportation Security",
        r"certificate",
        forms=(
            "A county sheriff walks up on the ramp and asks about your license. What do you have to show, "
            "and who else has the right to ask?",
            "Who is entitled to look at your pilot papers, and which of them do you have to produce?",
        ),
    ),
    topic(
        r"mailing address",
        forms=(
            "You moved to a new apartment in the spring. What do you owe the FAA, and what happens to your "
            "privileges if you forget?",
            "Suppose your home address changes. What must you do about it as a pilot, and how long do you "
            "have?",
        ),
    ),
    topic(
        r"flight review",
        r"24 calendar months|1 hour",
        never=(r"throwover|instructor is",),
        forms=(
            "You passed your checkride years ago and have flown now and then since. Which regular check "
            "keeps you legal to act as PIC, how "
            "often is it due, and what does it consist of?",
            "What does a flight review consist of, and how often do you need one?",
            "A friend has been a pilot for years but has not flown with an instructor since the checkride. "
            "Which requirement should you ask "
            "about, how often does it come due, and how much training does it take?",
        ),
    ),
    topic(
        r"takeoffs",
        r"90 days",
        r"passengers?",
        r"sunset|night",
        forms=(
            "At ten this evening you would like to show two friends the city lights. What recent "
            "experience do you need, and what counts "
            "toward it?",
            "How does the recent experience for carrying passengers change once it is dark, and which "
            "hours does that mean?",
            "Your logbook is full of daytime flights, and a guest asks for a ride late tonight. What must "
            "you have flown beforehand?",
        ),
    ),
    topic(
        r"takeoffs",
        r"90 days",
        r"passengers?",
        never=(r"sunset|night|tailwheel",),
        forms=(
            "A neighbor would like to come along tomorrow at noon, and you have not flown for a while. "
            "What recent experience must you have, "
            "and in what kind of aircraft?",
            "What has to stand in your logbook before you take a passenger flying by day?",
            "Before you carry passengers, what recent flying does the law want to see, and how must it "
            "have been done?",
        ),
    ),
    topic(
        r"incidental",
        r"business",
        forms=(
            "Your employer would pay you to fly yourself to a meeting. Under what conditions may a private "
            "pilot accept that?",
            "When may a private pilot draw pay for flying on company business?",
        ),
    ),
    topic(
        r"pro rata|equal share",
        forms=(
            "Some friends fly with you to the beach and want to chip in. How do you split the bill, and "
            "which costs may go into it?",
            "Walk me through how a private pilot may share the cost of a flight: who pays how much, and "
            "for what.",
        ),
    ),
    topic(
        r"private pilot",
        r"compensation or hire",
        never=(r"incidental|pro rata|charit|glider",),
        forms=(
            "A stranger at the airport offers you money for a ride to the coast. You hold a private pilot "
            "certificate: what do you answer, "
            "and what is the rule behind it?",
            "How far may a private pilot go in taking money for flying?",
            "Somebody wants to pay you to carry a parcel across the state. What does your private "
            "certificate say to that?",
        ),
    ),
    topic(
        r"200 horsepower|high[- ]performance",
        forms=(
            "The club has bought an airplane with a 235 horsepower engine. What do you need before you fly "
            "it as pilot in command?",
            "What stands between a new private pilot and acting as PIC of an airplane with a really strong "
            "engine?",
        ),
    ),
    topic(
        r"complex airplane|retractable landing gear.*flaps",
        r"endorsement|training",
        forms=(
            "A friend lets you fly an airplane with retractable gear and a controllable propeller. What do "
            "you need before you act as PIC?",
        ),
    ),
    topic(
        r"tailwheel",
        r"endorsement|training",
        forms=(
            "You have only flown airplanes with a nosewheel. What do you need before you act as PIC of one "
            "with a tailwheel?",
        ),
    ),
    topic(
        r"third[- ]class",
        r"under (?:the )?(?:age )?(?:of )?40|not reached",
        forms=(
            "You passed the third-class medical examination in the middle of March at the age of 34. Until "
            "when can you use it as a private pilot?",
            "A student of 23 asks how long a third-class medical lasts for private flying. What do you "
            "say, and from when is it counted?",
        ),
    ),
    topic(
        r"third[- ]class",
        r"40 or older|reached (?:the )?(?:age|his or her 40th)",
        forms=(
            "You passed the third-class medical examination in the middle of March at the age of 47. Until "
            "when can you use it as a private pilot?",
            "How long does a third-class medical last for a private pilot of 52, and from when is it "
            "counted?",
        ),
    ),
    topic(
        r"medical condition|medical deficiency|medication|treatment for",
        r"may not act|unable to meet|no person may",
        forms=(
            "Your medical certificate is still valid, but since last week you take a new medicine that "
            "makes you dizzy. What does the rule ask "
            "of you?",
            "What do you do about flying when your health changes between two medical examinations?",
        ),
    ),
    topic(
        r"BasicMed|part 68",
        r"physical examination|medical course",
        forms=(
            "You would like to fly under BasicMed. What must you have done beforehand, and how recently?",
            "Which two things keep BasicMed valid, and how often does each come due?",
        ),
    ),
    topic(
        r"BasicMed|part 68",
        r"18,000|250 knots",
        forms=(
            "You fly under BasicMed today. What limits does that set on the area, the height and the speed "
            "of your flight?",
            "Where does BasicMed end: how high, how fast and how far can you go with it?",
        ),
    ),
    topic(
        r"pilot in command",
        r"directly responsible|final authority",
        forms=(
            "Your passenger owns the airplane and tells you how to fly it. Whose word counts on board, and "
            "what goes with it?",
            "What does the law say about the pilot in command's responsibility and authority?",
        ),
    ),
    topic(
        r"emergency",
        r"deviate from any rule",
        forms=(
            "Smoke fills the cabin, and the quickest way to the ground breaks a few rules. What does the "
            "law allow you, and how far does it go?",
            "What can a pilot in command do about the regulations when there is no time to lose?",
        ),
    ),
    topic(
        r"deviat",
        r"written report|upon the request of the Administrator",
        forms=(
            "You broke a rule to deal with an emergency, and all ended well. What may the FAA want from "
            "you afterward?",
        ),
    ),
    topic(
        r"careless or reckless",
        never=(r"surface of an airport",),
        forms=(
            "A pilot buzzes a friend's house, breaking no altitude limit. Which general rule still "
            "applies, and what does it protect?",
            "How do the rules put it when someone flies in a way that puts others at risk?",
        ),
    ),
    topic(
        r"dropped",
        r"hazard",
        forms=(
            "Your passenger would like to drop flowers over the sea. What does the rule on dropping things "
            "say?",
        ),
    ),
)
