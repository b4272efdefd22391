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
FPL flight plan = fpl | fpls | flight plan~ | flightplan~ | file | filing | to file | filed a plan | plan | plans |
    file~ a plan
flight plan closed = close~ my~ plan | close the~ plan | close~ a~ plan | closing | closed | closes | close it |
    cancel my fpl | cancel the fpl | cancel my plan | cancel the plan | cancel a flight plan | close | search and
    rescue | arrived safely | close~ it | close my | closure | cancel~ my~ flight plan | forgot to close | sar
preferred way to file an FPL = best way to file | how should i file | where do i submit | where do i file | app |
    website | software | tool to file | preferred tool | which tool | how do i file | submit | sending in | send in
    | send my plan | with what | which app~ | file online | do pilots file | where can i file
autorouter FPL accepted, local alternatives = autorouter | auto router | foreflight | skydemon | rocketroute
filed before flight = before departure | in the air | airborne filing | afil | in flight
crossing an international boundary from neighbouring countries = border | abroad | international flight~ | another
    country | foreign country | cross-border | cross border | national boundary | neighbouring country | pop~ over |
    hop over | crossing over | foreign | out of the country | leave the country | leaving the country | next country
    | over the border
crossing a FIR boundary = fir

# permission
PPR prior permission = ppr | prior permission | permission in advance | phone ahead | call ahead | ring ahead | turn
    up | without asking | phone first | call first | telephone first | ask beforehand | notice required | prior
    notice | advance notice | unannounced | announce myself | ring first | ring them | rock up | show up | drop in |
    drop by | turn~ up | land without asking | without telling | without calling | tell them first | let them know |
    call before | phone before | ask first | ask before
is an FPL considered sufficient = sufficient | enough | replace~ ppr | count as | instead of ppr | suffice~ | good
    enough | instead of a call | also need ppr | still need to call | do the job
arriving Non-Schengen, international = customs | immigration | passport~ | gendec | general declaration | gar | port
    of entry | port~ of entry | border police | border control | point of entry | schengen | airport of entry |
    non-schengen | border guard~ | outside schengen | police at the airport | third country | clear in | outside the
    eu | from outside | non-eu | visa | entry formalities | border formalities | passport stuff | customs airport~ |
    declare~ | declaration | flying in from
overcontrol, permission requirement abided by = overcontrol~ | boss~ | act like controllers | play~ controller |
    bossy | pretend to be controllers | think they are controllers | as if they were atc | overdo | over-control~ |
    give~ orders | giving instructions | permission rules | bossing | like atc | power-hungry

# services
FIS = fis | flight information | langen information | london information | dutch mil~ | information service in
    flight | information | info | fic
required to use FIS = speak to anyone | speak to anybody | speak to somebody | talk to somebody | talk to someone |
    talk to anyone | talk to anybody | talking to anybody | stay silent | without a word | silent | non-radio |
    nordo | no radio | contact anybody | without calling anyone | talk to atc | speak to atc | be in radio contact |
    radio contact
Airfield Information service = afis | aerodrome flight information | airfield information | aerodrome information |
    information service field | info unit~ | airfield with information | flight information officer | afiso |
    information field | afis airport~ | afis field~ | information aerodrome | info aerodrome
Airfield Radio service = air/ground | a/g | air ground | air-ground | radio only | radio-only | radio operator~ |
    airfield radio | aerodrome radio | radio service | unicom | radio station | agcs | guy on the radio | radio
    bloke | just radio | only radio | just a radio | only a radio | man on the radio | a radio field | radio field
ATC at an airfield = tower | towered | controlled airport~ | controlled aerodrome~ | controlled field~ | controlled
    airfield~ | atc airport~ | atc airfield~ | atc field~ | atc aerodrome~ | airport with atc | tower-controlled |
    the tower | atc tower | controlled by atc | airports with a tower | full atc
permissions on taxiways and aprons = taxi~ | apron~ | start-up | startup | start up | parking | push back | pushback
    | engine start | on the ground | rolling | ground movement~ | moving on the ground | move on the ground | start
    rolling | leave the stand | stand | holding point
permissions on the runway, take-off and land = take off | takeoff | take-off | cleared to land | clear me to land |
    landing clearance | lining up | line up | backtrack | permission to land | approval to land | land without |
    touch and go~ | departure | taking the runway | take the runway | enter the runway | on the runway | using the
    runway | depart
permissions in the air = airborne | inbound | joining | approaching | in the air | entering the zone | enter the
    circuit | enter the zone | on the way in | come in | coming in | enter the pattern | entering the pattern |
    while flying | in the zone | on approach | overhead the field
initial call for FIS = first call | first contact | initial call | first radio call | initial radio call | initial
    contact | call up | check in with | first transmission | check-in | checking in | opening call | introduce
    myself | what do i say | what to say | first message
how far from destination would you first call a VFR airfield = how far out | how many miles | how early | how far |
    miles out | minutes out | distance for the first call | how soon | minutes before | how long before arrival |
    distance out | start talking | first call the field | call the airfield | announce~ my arrival | when do you
    call | when should i call | call the aerodrome | call the field
rely on FIS to advise regarding approaching and penetrating airspace = count on | trust | warn~ me | alert me |
    infring~ | bust | bust~ | rely | keep me out | tell me about airspace | heads-up | heads up | stop me from |
    busting | look after me | watch over | depend on | alert~ | keep me clear | tell me when
grant clearance = clear me | issue a clearance | give me a clearance | get my clearance | cleared by | transit
    clearance | let me into | approve it | approve | authorise | authorize
preferred weather services, local conditions = weather app~ | weather website~ | weather service~ | met service~ |
    met office | metar~ | forecast~ | weather briefing | the weather | local weather | wx | weather site~ | weather
    info | weather wise | local conditions | weather source~ | weather report~ | weather from | forecaster~ | meteo~
    | weather
electronic conspicuity in use = flarm | ads-b | adsb | safesky | conspicuity | electronically | anti collision |
    anti-collision | pilotaware | skyecho | traffic awareness | see and be seen | collision avoidance | tcas | ads-b
    out | adsb out | traffic awareness kit | traffic kit | traffic display | be seen | visible to others | ads-l |
    oada | fanet | ogn
use of local language = language~ | english | speak~ | german on the radio | french on the radio | phraseology | rt
    | local tongue | french | german | italian | spanish | swedish | norwegian | polish | hungarian | dutch | greek
    | turkish | portuguese | danish | finnish | czech | icao level | talk~ in | native tongue | mother tongue |
    foreign language | translator

# airspace
transponder requirements = transponder~ | squawk box | xpdr | mode s | mode c | squawk | squawking
Listening Squawks = listening squawk~ | monitoring code~ | listening code~ | frequency monitoring | fmc | listening
    watch code~ | monitoring squawk~ | listening out | just listening | monitoring | just monitoring | listen~ on
Class G airspace = golf | golf airspace | uncontrolled airspace | outside controlled airspace | ocas | class g | in
    [G] | [G] airspace | and [G] | or [G]
Class E airspace = echo | echo airspace | class e | in [E] | [E] airspace | and [E] | or [E]
Class D airspace = delta | delta airspace | class d | in [D] | [D] airspace | and [D] | or [D]
Class C airspace = charlie | charlie airspace | class c | in [C] | [C] airspace | and [C] | or [C]
requirements to enter Class D and Class C airspace = controlled airspace | ctr | control zone | tma | enter class d
    | enter class c | get into class d | get into class c | entering a ctr | zone transit | cross~ the zone |
    through a ctr | cross~ a ctr | zone boundary | transit a | transit through | ctr crossing | crossing controlled
    | enter controlled | entering controlled | tmas | ctrs | enter the ctr | get into
penetration of Danger Areas = danger area~ | danger zone~ | [D] area~ | [D] zone~ | danger | firing area~
penetration of Restricted Areas = restricted area~ | restricted airspace | restricted zone~ | [R] area~ | [R] zone~
    | restricted | ls-r
penetration of Prohibited Zones = prohibited area~ | prohibited zone~ | prohibited airspace | [P] area~ | [P] zone~
    | no-fly zone~ | no fly zone~ | forbidden area~ | forbidden zone~ | no-fly area~ | no fly area~ | nuclear |
    forbidden airspace | no-fly | prohibited
penetration of Military Areas = military area~ | military zone~ | military airspace | military training area~ | matz
    | mtz | training area~ | tra | mctr | army zone~ | army area~ | military exercise~ | firing range~ | air force
    training
penetration of Parachute Areas = parachut~ | skydiv~ | para dropping | drop zone~ | dropzone~ | jump zone~ |
    parajump~ | para~ jump~ | jumpers | meat bomber~ | para drop | para-drop | para~ zone~ | dz | free fall |
    freefall~ | drop~ jumpers
penetration of Gliding Launch Sites = glider~ | gliding | winch~ | sailplane~
military airfields available for civilian use = air force | air base~ | airbase~ | military field~ | military
    airfield~ | military base~ | military aerodrome~ | military airport~ | military airbase~ | fighter | raf |
    joint-use | joint use | air-force | army base~ | army airfield~ | army field~ | military strip~ | naval | navy

# IFR and its ends
IFR permitted and practical in Class G = ifr in class g | ifr in golf | ifr in uncontrolled | ifr outside controlled
    | on instruments in | ifr in [G]
IFR = on instruments | instrument flight | instrument rules | flying imc | imc in | in imc | in cloud | instrument
    conditions
terminate IFR = cancel~ ifr | end ifr | terminate ifr | drop ifr | from ifr to vfr | ifr to vfr | drop the ifr | to
    visual | changing to visual | go visual | end of ifr | leave ifr | close ifr | finish ifr
joining IFR from a VFR airfield, clearances to start IFR = pick up ifr | ifr pickup | ifr pick-up | ifr pick up |
    join ifr | joining ifr | start ifr | starting ifr | [Z] flight plan | zulu plan | ifr clearance | vfr to ifr |
    ifr airborne | zulu | clearance airborne | clearance in the air | become ifr | go ifr | switch to ifr | change
    to ifr | ifr departure
instrument approach to an unmanned airfield = nobody in the tower | nobody on duty | no atc at | unattended |
    unmanned | unstaffed | without atc on duty | when there is no atc | tower closed | nobody there | nobody around
    | no controller | without a controller | without tower staff | no one in the tower | no staff | empty tower |
    after hours | out of hours | no atc
instrument approach = ils | rnav | rnp | iap | iaps | lpv | instrument approach~
airfield without IAPs in poor weather = bad weather | poor weather | low cloud | poor visibility | low ceiling~ | no
    iap | without instrument approach~ | without published approach | without an approach | no approach | imc |
    weather is | rubbish weather | marginal | weather turns | scud | crap weather | weather below | fog | in the
    soup | no instrument approach~
cloudbreak followed by VFR transit = cloud break~ | cloudbreak~ | break cloud | below cloud | through cloud | let~
    down | below the cloud~ | descend through | under the overcast | get visual | divert vfr | under the cloud~ |
    let down | get below | getting below | become visual | cloud base | scud run~ | cancel and continue vfr
non-controlled airport = uncontrolled field | uncontrolled airfield | uncontrolled airport | non-towered | small
    field | strip | grass | without a tower | field without atc | no tower | strips | grass field | unlicensed |
    non-controlled | uncontrolled aerodrome | without tower | farm strip~ | microlight field~

# circuit and levels
joining a visual circuit = circuit~ | pattern | traffic pattern | overhead join | downwind join | straight-in |
    straight in | circuit join~ | base leg | overhead | downwind | crosswind join | join~ the pattern | circuits |
    teardrop | dead side | standard join | 45 degree~
accepted norms = usual | usually | normally | customary | common practice | norm | accepted practice | in practice |
    done thing | locals | manners | etiquette | custom | habit | best practice | typical | courtesy | conventionally
rules for = official | officially | by the rules
semicircle + 500' = semicirc~ | semi-circ~ | hemispher~ | cruising level~ | cruising altitude~ | odd plus | plus 500
    | +500 | odd/even | odd and even | even levels | quadrantal | semi-circle | vfr levels | vfr altitudes | correct
    levels | odds and evens | plus five hundred | even plus | odd level~ | even level~ | cruise level~
abided by = keep to | keeps to | followed | respect | respected | adhere~ | stick to | obey~ | observed | fly the |
    keep the | really fly | comply | actually fly | observe | disciplined
enforced = enforc~ | tell me off | fined | fine | punish~ | police the | bother about | bother | care about | get
    caught | sanctions | consequences | prosecut~ | caught | trouble
how strictly = how strict | strict | seriously | big deal | how serious | strictly | taken seriously
odd or unusual = odd | peculiar~ | surprise~ | unusual | quirk~ | special about | strange | weird | should i know |
    gotcha~ | weird stuff | traps | pitfall~ | watch out for | catches visitors | visitor~ | visiting pilot~ | local
    quirks | be aware of | bite me | tips
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
