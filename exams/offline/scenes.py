# ruff: noqa: E501  (a table of sentences: a line is one of them)
"""Situations that an examiner puts a rule or a fact into, by what the claim speaks of.

A table: the first entry whose pattern stands in the claim's statement gives its questions. They name when the
claim holds and never what it says; each is checked for that before it is asked, like any other question. Slots in
braces are filled from the claim: {airspace}, {height} (a figure inside the claim's band), {hour}. Where no entry
fits, `composing.py` frames the claim by its own parts.
"""

from __future__ import annotations

from typing import Final

SITUATIONS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    # --- pilot
    (r"must have your pilot certificate|readily accessible in the aircraft", (
        "You drive to the airport for a solo flight and realize your wallet is at home. Which papers of your own matter now, and why?",
        "Before you start the engine you check your pockets. Which personal documents do you look for?",
    )),
    (r"present .*(?:certificate|identification).*inspection|law enforcement officer", (
        "Somebody walks up at the ramp and wants to look at your papers. Who has the right to ask, and what do you hand over?",
        "You are tying the airplane down when a stranger with a badge asks to see your documents. How do you respond, and to whom else would you owe the same?",
    )),
    (r"flight review", (
        "You have not flown for a good while and want to act as pilot in command again. What training event do you have to look for in your logbook, how long was it, and how old may it be?",
        "An old friend got a certificate years ago and asks what keeps it usable. What must he have done, and how recently?",
    )),
    (r"sunset to one hour before sunrise.*(?:takeoffs|landings)|(?:takeoffs|landings).*sunset", (
        "A passenger wants to see the city lights this evening. How do you decide from your logbook whether you can take her along?",
        "Dinner runs late and your passengers would have to be flown home in the dark. What recent experience does that call for?",
    )),
    (r"carry(?:ing)? passengers.*(?:takeoffs|landings)", (
        "Two friends want to come along this afternoon. What recent flying do you have to find in your logbook first?",
        "You passed your test long ago and have mostly flown alone. What would you check before you invite a guest for a daytime ride?",
    )),
    (r"more than 200 horsepower|high[- ]performance", (
        "A club offers you a fast single with a big engine that you have never flown. What has to be in your logbook first?",
    )),
    (r"compensation or hire", (
        "A neighbor offers you money to fly him to a meeting. What can you tell him about what your certificate lets you do?",
        "A shop owner wants you to fly parcels for pay. How do you answer, and on what ground?",
    )),
    (r"pro[- ]rata|equal .*share|shares? .*(?:costs|expenses)", (
        "Three friends offer to pay for the whole flight. How do you settle the bill so that it stays within your privileges?",
        "You fly to the coast with two companions who want to chip in. What may the split look like, and which costs go into it?",
    )),
    (r"incidental to that business|flying on business|incidental to", (
        "Your employer asks you to fly yourself to a customer and will pay you for the day. Under what conditions does that work with a private certificate?",
    )),
    (r"under age 40|had not reached .*40|39 or younger", (
        "A 32-year-old friend has just been to the medical examiner for a third-class certificate. How long can she use it for private flying?",
    )),
    (r"age 40 or older|reached .*40th", (
        "A pilot of 55 shows you his third-class medical certificate. How do you work out until when he can fly privately on it?",
    )),
    (r"medical condition|medication that would make", (
        "Your medical certificate is still in date, but since last week you take something new for your back. How do you decide about tomorrow's flight?",
        "You wake up with a health problem that did not exist when the examiner saw you. What does that do to your privileges?",
    )),
    (r"basicmed.*(?:physical examination|medical course|physician)", (
        "You let your medical certificate lapse and want to go on under the simpler route without it. What do you have to complete, and how often?",
    )),
    (r"basicmed.*(?:18,000|250 knots|within the united states)", (
        "You fly without a medical certificate under the alternative rules. Where, how high and how fast does that let you go?",
    )),
    (r"basicmed", ("Someone flies under BasicMed instead of a medical certificate. What do you know about the limits of that route?",)),
    (r"mailing address|after 30 days from", ("You have just moved to another town. What does that mean for your certificate, and by when?",)),
    # --- airplane
    (r"owner or operator .*(?:primarily )?responsible", ("You rent from a flying club. Whose job is it in the first place to see that the airplane is kept fit to fly?",)),
    (r"decides? before each flight|condition for safe flight", (
        "Halfway through a trip something on the airplane stops working properly. Whose decision is it whether the machine may go on, and what does that duty include?",
    )),
    (r"airworthiness certificate", ("You climb into a rental airplane for the first time. Which government papers do you look for in the cabin, and where?",)),
    (r"operating limitations", ("Somebody asks how you would know what the manufacturer allows for this machine. In what forms can that information be on board?",)),
    (r"100[- ]hour.*(?:exceeded|10 hours)|exceeded by not more than 10 hours", (
        "The shop that does the periodic check for a rental airplane is a long way off and its time is up. How much slack is there, and for what purpose?",
    )),
    (r"100[- ]hour|carries a person for hire", ("You take lessons in an airplane that your instructor provides. Which inspections does that use call for, and counted how?",)),
    (r"annual inspection", ("You look through the maintenance records before a private flight. Which yearly check do you want to see, how old can it be, and what else goes with it?",)),
    (r"transponder .*(?:tested|inspected)", ("The squawk box of your rental airplane works fine. What else do the records have to show before you switch it on?",)),
    (r"altimeter .*static|static system", ("A friend wants to file IFR in this airplane. What would you look for in the records about its pressure instruments?",)),
    (r"emergency locator transmitter", ("A yellow box in the tail is meant to call for help after a crash. How do you know that it is being looked after in time?",)),
    (r"for vfr flight at night|at night the airplane also|position lights, an anticollision", (
        "The flight will last into the dark. What does the airplane need on top of its daytime equipment?",
        "Your daytime airplane is to be used after dusk. Which additional items do you check for?",
    )),
    (r"airspeed indicator, an altimeter|for vfr flight by day the airplane needs", (
        "You inspect the panel of an old trainer before a daytime trip in good weather. Which instruments do you insist on?",
    )),
    (r"inoperative item must be repaired|required by the vfr day type", (
        "Something on the airplane is broken and there is no minimum equipment list. How do you find out whether it has to be fixed first?",
    )),
    (r"placarded|deactivated", ("A broken item turns out not to be needed for this flight. What still has to be done with it before you go?",)),
    (r"determine that the inoperative item|no hazard to the aircraft", ("An unneeded item has been dealt with on paper. Who has the last look, and at what question?",)),
    (r"minimum equipment list", ("The operator hands you an approved list for exactly this tail number. What role does it play when a thing is broken?",)),
    (r"airworthiness directive", ("The FAA publishes an order about a part in your engine type. What does that mean for your next flight?",)),
    (r"special flight permit", ("Your airplane has missed its inspection and the only shop is at another field. What way out is there?",)),
    # --- preparation
    (r"all available information", ("You are about to go flying on a fine day. How far does your homework go under the rules, in general?",)),
    (r"weather reports and forecasts", ("You leave the local area today. Which subjects does the regulation want you to have looked into before you go?",)),
    (r"runway lengths", ("Even for a short hop in the local area some figures have to be known. Which ones about the field and the machine?",)),
    (r"enough fuel.*(?:at least 45|night)|at night.*fuel", (
        "You plan to fly cross-country after dark in good weather. How do you work out the least fuel for the start?",
    )),
    (r"enough fuel", (
        "It is a bright afternoon and the trip takes two hours. How do you work out the least fuel to have aboard when you begin?",
        "You want to leave some seats and some weight for luggage. Down to what amount can you reduce the fuel for a daytime trip in good weather?",
    )),
    (r"magnetic course of 0|\beast", ("You level off for a long leg toward the east, well clear of the ground. How do you choose your altitude?",)),
    (r"magnetic course of 180|\bwest", ("The return leg takes you toward the west, well clear of the ground. How do you pick a cruising level?",)),
    (r"over other than congested|sparsely populated|open water", ("You follow a river through empty country, far from any town. How low can you go, and how close to the one boat below?",)),
    (r"highest obstacle", ("Your route crosses a town with a tall television mast. How do you find the lowest height at which you may cross it?",)),
    (r"emergency landing without undue hazard|power unit fails|if the engine fails", ("Wherever you fly, one consideration about the engine sets your lowest height. Which one?",)),
    (r"close a vfr flight plan|cancel .*flight plan", ("You land at a towered field after a flight for which you filed a plan. What still has to happen with that plan, and by whom?",)),
    (r"not closed within|search for the airplane", ("You forgot about your flight plan and went for dinner. What will happen, and when?",)),
    (r"filing a vfr flight plan", ("You phoned in your flight plan an hour ago and now line up for departure. What is its state, and what do you do about it?",)),
    # --- airspace
    (r"enter class b|class b airspace you need|class b .*clearance", (
        "Your course leads into the airspace around one of the busiest airports, and a controller has answered your call. How do you know that you may go in?",
    )),
    (r"class c airspace you must establish|enter class c", ("You approach a medium-sized radar airport under VFR. At what point may you cross its boundary, and what holds while you are inside?",)),
    (r"class d airspace you must establish|enter class d", ("Ahead lies a small airport with a tower. What has to have happened on the radio when you cross into its airspace?",)),
    (r"class a airspace", ("A tailwind at 20,000 feet looks tempting for your VFR trip. What stands in the way up there?",)),
    (r"transponder with altitude reporting|mode c", ("You plan a route around a large city with an old airplane. Where along it would you need a transponder that sends your altitude?",)),
    (r"ads-b", ("Your airplane cannot broadcast its position by satellite navigation. Which parts of the sky does that close to you?",)),
    (r"at or below 2,500 feet.*4 nautical|200 knots", ("You hurry toward a radar airport, low and close to the field. What speed limit do you have to respect there?",)),
    (r"250 knots", ("You borrow a fast airplane and descend toward the field, still in the lower levels. How fast can you go down there?",)),
    (r"one half mile of the runway|traffic pattern within", ("It is dark, the visibility is poor and you want to practice landings at a quiet field without a tower. What exception helps you, and how far does it reach?",)),
    (r"special vfr between sunset|special vfr.*instrument rated", ("After dusk you would like the tower to clear you in below the usual weather minimums. What does that ask of you and of the airplane?",)),
    (r"special vfr", ("The field lies under a low deck, and the tower offers you a special clearance instead of the usual minimums. In what conditions can you use it?",)),
    (r"class [a-g].*(?:flight visibility|visibility).*cloud|clear of clouds", (
        "You are in {airspace}{height}, {hour}. What visibility do you need, and how do you keep your distance from the clouds?",
        "Your route leads through {airspace}{height}, {hour}. Which weather minimums do you hold yourself to there?",
    )),
    (r"prohibited area|restricted area", ("Your straight course crosses areas marked P-40 and R-2508. How do you handle each of them?",)),
    (r"military operations area", ("A block marked MOA lies across your VFR route and shows as active. How do you treat it?",)),
    (r"temporary flight restriction", ("The President visits a town near your route. What does that do to your flight, and how would you find out in time?",)),
    # --- body
    (r"first signs|hypoxia is", ("At altitude your passenger becomes strangely cheerful. What do you suspect is happening in the body, and by which signs would you know it?",)),
    (r"cure for hypoxia", ("Up high you notice that your thinking is slow and your fingertips look blue. What do you do?",)),
    (r"14,000 feet msl the required .*(?:longer than|more than|30 minutes)|12,500", ("You cross the mountains at 13,500 feet in an unpressurized airplane. When does the crew have to be on oxygen?",)),
    (r"15,000 feet", ("Your passengers ask whether they get masks as well if you climb above the highest peaks. From where on do you owe them that?",)),
    (r"above 14,000 feet", ("To top the weather you would have to climb well above the usual altitudes without pressurization. What does the crew's oxygen duty look like up there?",)),
    (r"hyperventilat\w+ (?:is|occurs)|breathing too fast", ("A nervous passenger starts to breathe hard and complains of tingling. What is going on?",)),
    (r"who hyperventilates|slow the breathing", ("You notice in turbulence that you yourself are gasping. How do you get that under control?",)),
    (r"suspect carbon monoxide", ("On a winter flight, with the cabin warm, a headache creeps up. What do you do at once?",)),
    (r"carbon monoxide", ("The cabin heat of a piston single draws on the hot end of the engine. What can come in with it, and what does that do to you?",)),
    (r"remedy for spatial|believe the flight instruments", ("In haze you feel a turn that you cannot explain. How do you deal with that feeling?",)),
    (r"spatial disorientation", ("A pilot without a horizon suddenly feels a bank. How do such feelings come about?",)),
    (r"scuba|decompression", ("You come back from a dive on vacation and the airplane is waiting. How long do you leave between the two?",)),
    (r"within 8 hours", ("You were at a party last night and had a glass of wine with dinner. What does the clock have to say before you fly?",)),
    (r"alcohol concentration|0\.04", ("Long after the party you feel fine, but a measurement might say otherwise. Where does the rule draw its line?",)),
    (r"using (?:a|any) drug|affects the (?:faculties|person)", ("A doctor gives you tablets with a warning on the box. By what standard does the regulation judge flying with them?",)),
    (r"sold without a prescription|antihistamine", ("You have the sniffles and buy something at the drugstore. What do such remedies do to a pilot, and whom would you ask?",)),
    (r"intoxicated", ("A friend who has clearly been drinking wants a ride home in your airplane. How do you decide?",)),
    (r"aeronautical decision-making", ("Instructors talk about ADM and about SRM when you fly alone. What stands behind these two?",)),
    (r"imsafe", ("Before you leave the house you run a short check on yourself. Which points does it go through?",)),
    # --- tower and radio
    (r"deviate .*any rule|extent required", ("Smoke fills the cabin and the quickest way down breaks several rules. How far does your authority reach?",)),
    (r"may not deviate from it|deviate from .*clearance", ("You have accepted a clearance and now would rather do something else. In what cases can you?",)),
    (r"uncertain about a clearance|clarif", ("The controller spoke fast and you caught only half of your clearance. What does the rule expect of you?",)),
    (r"hold short", ("Ground control tells you to wait before a runway. What do you say back, and with which details?",)),
    (r"taxi onto or across", ("Your taxi route at a towered field crosses another runway. What do you need at that crossing?",)),
    (r"flashing green", ("With a dead radio you get a green light that goes on and off. What does the tower tell you in the air, and what on the ground?",)),
    (r"steady green", ("With a dead radio you see a green light from the tower that does not blink. How do you read it in the air, and how on the ground?",)),
    (r"steady red", ("Without a radio on final you see a red light that stays on. How do you act, and how would you on a taxiway?",)),
    (r"flashing red", ("A red light blinks at you from the tower while your radio is dead. How do you act in the air, and how on the ground?",)),
    (r"alternating red", ("The tower shows you red and green in turn. How do you take that?",)),
    (r"acknowledge a light signal|rocking the wings", ("You have understood a light gun and want the tower to know. How do you show it by day, and how after dark?",)),
    (r"radio fails under vfr|radio fails", ("You come home to your towered field and both radios are silent. How do you get down?",)),
    (r"7600", ("Your radio is dead but the transponder still works. How can you tell the controllers on their screens?",)),
    (r"7700", ("Two special squawks cry for help, each in another kind of trouble. Which are they, and what does each say?",)),
    (r"\b1200\b", ("You fly VFR and nobody has given you a squawk. What do you set?",)),
    # --- airport
    (r"turns in the pattern to the left|all turns .*left", ("You arrive at a quiet field without a tower. How do you know which way the circuit goes?",)),
    (r"traffic pattern altitude", ("A small field on the chart has no published circuit height. What height do you fly there?",)),
    (r"recommended entry|45 degrees", ("You come to a field without a tower from the side of the downwind. How do you join the others?",)),
    (r"two-way radio communication with the tower and a clearance", ("Your destination has a tower in operation. What do you need from it for your arrival and your departure?",)),
    (r"4 nautical miles from the airport", ("A tower stands on a field in uncontrolled airspace. By when do you have to be talking to it?",)),
    (r"common traffic advisory|announces its position", ("Ten minutes out from a field without a tower you tune its frequency. What do you say there, and for how long?",)),
    (r"automatic terminal information|\batis\b", ("Before your first call to a busy field you listen to a recording. What is in it, and how does the controller know that you heard it?",)),
    (r"distress has the right-of-way|in distress", ("Another airplane reports an engine failure while you are number one for landing. Who goes first, and how general is that rule?",)),
    (r"converg", ("An airplane of your kind closes in from one side at your level. How do you know who goes first?",)),
    (r"head-on", ("Straight in front of you another airplane grows larger in the windshield. What does each of you do?",)),
    (r"overtak", ("You close in from behind on a slower airplane. Who has priority, and how do you get past?",)),
    (r"final approach or landing|approaching to land", ("Several airplanes arrive at the same field at once. How does the rule sort them out?",)),
    # --- night
    (r"position lights", ("The sun is about to go down while you taxi. Which lamps does the rule want, and during which hours?",)),
    (r"anticollision lights?", ("Your strobes blind you in the mist. When do these lamps have to be on, and what leeway do you have?",)),
    (r"adapt fully|30 minutes in the dark", ("You walk from a bright briefing room to a dark ramp. What do your eyes need, and what could undo it?",)),
    (r"to the side of an object|no rods", ("In the dark you search the sky for another airplane. How do you use your eyes, and why that way?",)),
    (r"flashlight preserve|dim cockpit lights", ("You set up the cockpit for a night flight. How do you choose your lighting, and what does it cost you on the chart?",)),
    (r"at least one flashlight", ("You pack your bag for a night flight. What do you take for light, and where do you keep it?",)),
    (r"black-hole", ("You approach a lit runway across a dark lake. What trap lies in that picture, and how does the approach go wrong?",)),
    (r"autokinesis", ("You stare at one lone light in the night and it begins to wander. What is happening, and how do you stop it?",)),
    (r"left wingtip|light on the tail", ("At night you want to tell which way another airplane is going. How are its lamps arranged?",)),
    (r"red and a green light together", ("At your level in the dark you see two colored lamps side by side, with the red one at the right. What do you conclude?",)),
    (r"only a red light", ("In the dark you see one colored lamp of another airplane, first red, and later a white one. What is it doing each time?",)),
    (r"rotating beacon", ("You look for a civil field at night. How does its beacon give it away?",)),
    (r"pilot-controlled lighting", ("You arrive at a dark unattended field whose lights listen to your radio. How do you work them?",)),
    (r"taxiway edge lights|runway edge lights", ("After landing at night you look for the way off. How do you tell taxiways and runways apart by their lamps?",)),
)  # fmt: skip

RISK_SITUATIONS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (r"proficien|current on paper", (
        "Your last flight was eleven weeks ago, and tomorrow a colleague would like to come along from a short field with a crosswind.",
    )),
    (r"unfamiliar airplane|avionics", ("The airplane that you booked is in the shop, and the club offers you one with a glass cockpit that you have never flown.",)),
    (r"defect|inoperative|failed item", ("On the walk-around, with your family already strapped in, you notice something that does not work as it should.",)),
    (r"fuel exhaustion|fuel", ("Halfway along a cross-country the headwind is stronger than planned, and the gauges read lower than your log.",)),
    (r"external pressure", ("A meeting waits at the far end, two colleagues sit in the back, and the ceiling ahead comes down.",)),
    (r"entering airspace|without its clearance", ("Your direct course leads below the shelves of a big city's airspace and past a restricted block, and the frequency is busy.",)),
    (r"hazardous attitudes?", ("A friend at the hangar laughs at your careful planning and bets that you will not dare to leave before the front.",)),
    (r"tired|medicated|fatigue", ("You slept badly, took something for a cold at breakfast, and a long leg at altitude lies ahead.",)),
    (r"misheard|missed instruction|similar call sign", ("The frequency is crowded, another airplane's call sign sounds like yours, and you are new at this airport.",)),
    (r"declare an emergency|waits too long", ("Dusk is near, you are no longer sure of your position, and the fuel is not what it should be.",)),
    (r"midair|collision", ("It is a sunny Sunday, and half a dozen airplanes, not all of them with a radio, circle at a field without a tower.",)),
    (r"vort|wake turbulence", ("You are number two behind an airliner, and the surface wind is light.",)),
    (r"taxiing onto|runway incursion|runway in use", ("You have landed at night at a large airport that you have never seen, it rains, and ground control reads you a long route.",)),
    (r"cloud at night|loss of the horizon", ("A moonless night, few lights below, and the spread between temperature and dew point is small.",)),
    (r"night landings", ("You have kept up your landings in the dark at your bright home field; tonight friends want to go to a small strip in the hills.",)),
    (r"stall|spin", ("You turn from base to final with a tailwind, see the runway slide by, and want to tighten the turn.",)),
    (r"hypoxia|oxygen", ("To get over the weather you consider climbing higher than you have ever been without a mask.",)),
    (r"weather|visibility|ceiling|thunderstorm|icing", ("The forecast was fine, but the sky ahead is darker than it should be, and you are past the halfway point.",)),
    (r"weight|balance|center of gravity|density altitude", ("It is hot, the field lies high, and four adults arrive with more bags than you were told.",)),
    (r"electrical|alternator|vacuum|system", ("In cruise, an hour from home and toward evening, an instrument shows something that you have not seen before.",)),
)  # fmt: skip

SETTINGS: Final[tuple[str, ...]] = (
    "You have rented the airplane for the weekend, and two friends count on being home tonight.",
    "It is late afternoon at an airport that you have never seen, and the trip home takes two hours.",
    "You fly alone, the day has been long, and the last leg is still ahead.",
    "Your family waits at the destination, and the departure has slipped by an hour already.",
    "The airplane is new to you, and your passenger has never flown in a small one.",
)
"""For a risk that no entry above fits: circumstances that put some weight on it."""
