"""What pilots say becomes the words that rules are asked about in: "squawk box" is a transponder. Pure.

Only how people speak stands here, no country and no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Matter:
    """What rules call it, and how it is also said."""

    formal: str
    said: tuple[str, ...]


# A matter in the words of rules, then the wordings of everyday speech that mean it. They are read as whole words in any
# case; "~" ends a word that may go on (taxi~: taxi, taxiing), "[D]" is a letter that is read as a capital.
_TABLE = """
# plans
FPL flight plan = fpl | fpls | flight plan~ | flightplan~ | file | filing | to file | filed a plan
flight plan closed = close~ my~ plan | close the~ plan | close~ a~ plan | closing | closed | closes | close it |
    cancel my fpl | cancel the fpl | cancel my plan | cancel the plan | cancel a flight plan | close
preferred way to file an FPL = best way to file | how should i file | where do i submit | where do i file | app
    | website | software | tool to file | preferred tool | which tool | how do i file | submit
autorouter FPL accepted, local alternatives = autorouter | auto router | foreflight | skydemon | rocketroute
filed before flight = before departure | in the air | airborne filing | afil | in flight
crossing an international boundary from neighbouring countries = border | abroad | international flight~ |
    another country | foreign country | cross-border | cross border | national boundary | neighbouring country
crossing a FIR boundary = fir

# permission
PPR prior permission = ppr | prior permission | permission in advance | phone ahead | call ahead | ring ahead |
    turn up | without asking | phone first | call first | telephone first | ask beforehand | notice required |
    prior notice | advance notice | unannounced | announce myself
is an FPL considered sufficient = sufficient | enough | replace~ ppr | count as | instead of ppr | suffice~
arriving Non-Schengen, international = customs | immigration | passport~ | gendec | general declaration | gar |
    port of entry | port~ of entry | border police | border control | point of entry | schengen | airport of
    entry | non-schengen | border guard~ | outside schengen | police at the airport | third country | clear in
overcontrol, permission requirement abided by = overcontrol~ | boss~ | act like controllers | play~ controller |
    bossy | pretend to be controllers | think they are controllers

# services
FIS = fis | flight information | langen information | london information | dutch mil~ | information service in
    flight | information | talking to anybody | talk to anyone | talk to anybody | info | fic
Airfield Information service = afis | aerodrome flight information | airfield information | aerodrome
    information | information service field | info unit~ | airfield with information | flight information
    officer | afiso
Airfield Radio service = air/ground | a/g | air ground | air-ground | radio only | radio-only | radio operator~
    | airfield radio | aerodrome radio | radio service | unicom | radio station | agcs
ATC at an airfield = tower | towered | controlled airport~ | controlled aerodrome~ | controlled field~ |
    controlled airfield~ | atc airport~ | atc airfield~ | atc field~ | atc aerodrome~ | airport with atc
permissions on taxiways and aprons = taxi~ | apron~ | start-up | startup | start up | parking | push back |
    pushback | engine start | on the ground
permissions on the runway, take-off and land = take off | takeoff | take-off | cleared to land | clear me to
    land | landing clearance | lining up | line up | backtrack | permission to land | approval to land | land
    without
permissions in the air = airborne | inbound | joining | approaching | in the air | entering the zone | enter the
    circuit | enter the zone | on the way in
initial call for FIS = first call | first contact | initial call | first radio call | initial radio call |
    initial contact | call up | check in with
how far from destination would you first call a VFR airfield = how far out | how many miles | how early | how
    far | miles out | minutes out | distance for the first call | how soon
rely on FIS to advise regarding approaching and penetrating airspace = count on | trust | warn~ me | alert me |
    infring~ | bust | bust~ | rely | keep me out | tell me about airspace
grant clearance = clear me | issue a clearance | give me a clearance | get my clearance | cleared by | transit
    clearance
preferred weather services, local conditions = weather app~ | weather website~ | weather service~ | met service~
    | met office | metar~ | forecast~ | weather briefing | the weather | local weather | wx
electronic conspicuity in use = flarm | ads-b | adsb | safesky | conspicuity | electronically | anti collision |
    anti-collision | pilotaware | skyecho | traffic awareness | see and be seen | collision avoidance | tcas
use of local language = language~ | english | speak~ | german on the radio | french on the radio | phraseology |
    rt | local tongue

# airspace
transponder requirements = transponder~ | squawk box | xpdr | mode s | mode c | squawk | squawking
Listening Squawks = listening squawk~ | monitoring code~ | listening code~ | frequency monitoring | fmc |
    listening watch code~ | monitoring squawk~
Class G airspace = golf | golf airspace | uncontrolled airspace | outside controlled airspace | ocas | class g |
    in [G] | [G] airspace | and [G] | or [G]
Class E airspace = echo | echo airspace | class e | in [E] | [E] airspace | and [E] | or [E]
Class D airspace = delta | delta airspace | class d | in [D] | [D] airspace | and [D] | or [D]
Class C airspace = charlie | charlie airspace | class c | in [C] | [C] airspace | and [C] | or [C]
requirements to enter Class D and Class C airspace = controlled airspace | ctr | control zone | tma | enter
    class d | enter class c | get into class d | get into class c | entering a ctr
penetration of Danger Areas = danger area~ | danger zone~ | [D] area~ | [D] zone~
penetration of Restricted Areas = restricted area~ | restricted airspace | restricted zone~ | [R] area~ | [R]
    zone~
penetration of Prohibited Zones = prohibited area~ | prohibited zone~ | prohibited airspace | [P] area~ | [P]
    zone~ | no-fly zone~ | no fly zone~ | forbidden area~ | forbidden zone~
penetration of Military Areas = military area~ | military zone~ | military airspace | military training area~ |
    matz | mtz | training area~ | tra | mctr
penetration of Parachute Areas = parachut~ | skydiv~ | para dropping | drop zone~ | dropzone~ | jump zone~ |
    parajump~ | para~ jump~ | jumpers
penetration of Gliding Launch Sites = glider~ | gliding | winch~ | sailplane~
military airfields available for civilian use = air force | air base~ | airbase~ | army | military field~ |
    military airfield~ | military base~ | military aerodrome~ | military airport~ | military airbase~

# IFR and its ends
IFR permitted and practical in Class G = ifr in class g | ifr in golf | ifr in uncontrolled | ifr outside
    controlled | on instruments in | ifr in [G]
IFR = on instruments | instrument flight | instrument rules
terminate IFR = cancel~ ifr | end ifr | terminate ifr | drop ifr | from ifr to vfr | ifr to vfr
joining IFR from a VFR airfield, clearances to start IFR = pick up ifr | ifr pickup | ifr pick-up | ifr pick up
    | join ifr | joining ifr | start ifr | starting ifr | [Z] flight plan | zulu plan | ifr clearance | vfr to
    ifr
instrument approach to an unmanned airfield = nobody in the tower | nobody on duty | no atc at | unattended |
    unmanned | unstaffed | without atc on duty | when there is no atc | tower closed | nobody there
instrument approach = ils | rnav | rnp | iap | iaps | lpv | instrument approach~
airfield without IAPs in poor weather = bad weather | poor weather | low cloud | poor visibility | low ceiling~
    | no iap | without instrument approach~ | without published approach | without an approach | no approach |
    imc
cloudbreak followed by VFR transit = cloud break~ | cloudbreak~ | break cloud | below cloud | through cloud |
    let~ down | below the cloud~ | descend through
non-controlled airport = uncontrolled field | uncontrolled airfield | uncontrolled airport | non-towered | small
    field | strip | grass | without a tower | field without atc | no tower

# circuit and levels
joining a visual circuit = circuit~ | pattern | traffic pattern | overhead join | downwind join | straight-in |
    straight in | circuit join~ | base leg
accepted norms = usual | usually | normally | customary | common practice | norm | accepted practice | in
    practice
rules for = official | officially | by the rules
semicircle + 500' = semicirc~ | semi-circ~ | hemispher~ | cruising level~ | cruising altitude~ | odd plus | plus
    500 | +500 | odd/even | odd and even | even levels | quadrantal
abided by = keep to | keeps to | followed | respect | respected | adhere~ | stick to | obey~ | observed
enforced = enforc~ | tell me off | fined | fine | punish~ | police the
how strictly = how strict | strict | seriously
odd or unusual = odd | peculiar~ | surprise~ | unusual | quirk~ | special about | strange | weird | should i
    know
"""


def _matters(table: str) -> Iterator[Matter]:
    joined = re.sub(r"\n +", " ", table)
    for line in joined.splitlines():
        formal, sign, said = line.partition(" = ")
        if sign:
            yield Matter(formal, tuple(one.strip() for one in said.split("|")))


MATTERS = tuple(_matters(_TABLE))


@cache
def _pattern(said: str) -> re.Pattern[str]:
    body = re.escape(said).replace(r"\ ", r"\s+").replace(r"\~", r"\w*").replace("~", r"\w*")
    if "[" in said:
        body = re.sub(r"\\\[([A-Z])\\\]", r"(?-i:\1)", body)
    return re.compile(rf"(?<![\w-])(?i:{body})(?![\w-])")


def matters_in(text: str) -> Iterator[Matter]:
    """The matters that a text speaks of, in the order of the table."""
    for matter in MATTERS:
        if any(_pattern(said).search(text) for said in matter.said):
            yield matter
