"""Questions about airspace: entry, equipment, speed, weather minimums, special areas."""

from __future__ import annotations

from typing import Final

from exams.offline.catalog.topic import Topic, topic

TOPICS: Final[tuple[Topic, ...]] = (
    topic(
        r"special VFR",
        r"sunset|night|instrument rated|instrument flight",
        forms=(
            "It is dark, and the field lies just below VFR minimums. What does special VFR demand of you "
            "and of your airplane at this hour?",
            "How does special VFR become harder to get once the sun is down?",
        ),
    ),
    topic(
        r"special VFR",
        r"visibility",
        r"clear of clouds",
        forms=(
            "On a hazy morning the field is below VFR minimums, though you could find your way home. What "
            "does a special VFR clearance let you "
            "do, where, and in what weather?",
            "What weather does special VFR by day still require, and in which piece of airspace does it "
            "apply?",
        ),
    ),
    topic(
        r"special VFR",
        r"only|unless",
        forms=("What conditions have to be met before you can fly under special VFR?",),
    ),
    topic(
        r"transponder",
        r"30 nautical miles|class A, (?:class )?B",
        never=(r"ADS-B",),
        forms=(
            "Where in the airspace do you need an altitude-reporting transponder?",
            "Your transponder quits far away from any big city. Describe the airspace that is closed to "
            "you until it is fixed.",
        ),
    ),
    topic(
        r"ADS-B Out",
        r"10,000|30 nautical|class A, (?:class )?B",
        forms=(
            "Which airspace calls for ADS-B Out?",
            "A friend's old airplane has no ADS-B Out. Where can it not go?",
        ),
    ),
    topic(
        r"(?:traffic|airport) pattern",
        r"class G",
        r"visibility",
        r"half mile|1.2 mile|one half",
        forms=(
            "You do pattern work at night in Class G airspace, and the visibility goes down to 2 miles. "
            "What relief does the rule give an "
            "airplane there, and where must it stay?",
            "At night, what exception to the Class G weather minimums is there for airplanes that stay "
            "close to the runway?",
        ),
    ),
    topic(
        r"visibility",
        r"cloud",
        r"class [A-G]",
        never=(r"special VFR|ceiling|helicopter",),
        forms=(
            "You cruise VFR{at_time} in {airspace}{at_height} with scattered clouds around. What "
            "visibility do you need, and how far from "
            "the clouds must you stay?",
            "What are your VFR weather minimums{at_time} in {airspace}, {height}?",
            "Which visibility and which distances from clouds does VFR{at_time} call for in "
            "{airspace}{at_height}?",
            "Suppose you fly VFR{at_time} through {airspace}{at_height} and the weather gets worse. At "
            "what visibility, and how near to clouds, "
            "is it no longer legal?",
            "Give me the visibility and the cloud clearance for VFR{at_time} in {airspace}, {height}.",
            "Clouds lie ahead on your VFR flight{at_time} in {airspace}{at_height} and it is getting hazy. "
            "What are your limits for visibility and for "
            "the distance from those clouds?",
        ),
    ),
    topic(
        r"ceiling",
        r"1,000 feet",
        r"VFR",
        forms=(
            "You would like to go around the pattern VFR under a low cloud deck, in airspace controlled "
            "down to the surface. What ceiling does "
            "that take?",
        ),
    ),
    topic(
        r"ground visibility",
        r"traffic pattern|take off or land",
        never=(r"special VFR",),
        forms=(
            "You want to land VFR in surface-based controlled airspace. What visibility does that take, "
            "and where is it measured?",
        ),
    ),
    topic(
        r"class A airspace",
        r"instrument flight rules|IFR|clearance",
        never=(r"visibility",),
        forms=(
            "A strong tailwind blows above you, in Class A airspace, and you fly VFR. What stands in the "
            "way of climbing into it?",
            "Under what rules, and with what from ATC, does everybody fly in Class A airspace?",
        ),
    ),
    topic(
        r"class B airspace",
        r"clearance",
        never=(r"speed|knots|visibility|equip",),
        forms=(
            "Approach control answers with your call sign and “stand by”, and your VFR route leads on into "
            "Class B airspace. What do you still "
            "need before you enter, and why?",
            "You want to cross Class B airspace, VFR, on the way to the coast. What do you need before you "
            "go in?",
        ),
    ),
    topic(
        r"class [CD]",
        r"two-way radio communication",
        never=(r"clearance to (?:take off|land)|departing|satellite|radio fails",),
        forms=(
            "You want to cross {airspace}, VFR, on the way to the coast. What must happen before you go "
            "in, and what while you are there?",
            "The edge of a {class} area lies just ahead of you. What must be settled, with whom, before "
            "you cross it?",
        ),
    ),
    topic(
        r"250 knots",
        r"10,000",
        forms=(
            "You descend through 8,000 feet MSL in a fast airplane. What speed limit applies?",
            "What is the general speed limit at lower altitudes, and up to what height does it hold?",
        ),
    ),
    topic(
        r"200 knots",
        r"class [CD]",
        forms=(
            "You come in low to a {class} airport and are 3 miles out. How fast may you be, and in what "
            "area does that limit hold?",
            "Near the main airport in {airspace} a speed limit of its own holds. How much is it, and "
            "within what distance and height?",
        ),
    ),
    topic(
        r"200 knots",
        r"class B",
        forms=(
            "You fly through a VFR corridor under the shelf of Class B airspace. What speed limit holds "
            "there?",
        ),
    ),
    topic(
        r"prohibited area",
        r"restricted area",
        forms=(
            "The straight line on your chart runs into special use airspace. What would it take to fly through a "
            "restricted area, and what through a prohibited one?",
            "What do prohibited and restricted areas mean for a VFR flight, and who could let you in?",
        ),
    ),
    topic(
        r"military operations area",
        forms=(
            "Your route crosses an MOA that is active this afternoon. What do you need to go through it "
            "under VFR, and how do you behave there?",
            "How does a VFR pilot deal with a military operations area on the route?",
        ),
    ),
    topic(
        r"NOTAM|Notice to Air",
        r"no person may",
        never=(r"space flight|barometric",),
        forms=(
            "A notice to airmen restricts an area on your route for some days. Under what conditions could "
            "you still fly in it?",
        ),
    ),
    topic(
        r"class [A-D] airspace",
        r"equipped|equipment",
        never=(r"30 nautical",),
        forms=("What equipment must your airplane have to be allowed into {airspace}?",),
    ),
    topic(
        r"class [A-D] airspace",
        r"satellite airport|departing",
        forms=(
            "You take off from a smaller field that lies inside {airspace}. What radio contact do the "
            "rules ask for?",
        ),
    ),
    topic(
        r"visual approach slope indicator|glide ?path",
        forms=(
            "A visual slope indicator stands beside the runway ahead. How low may you be on the way down?",
        ),
    ),
    topic(
        r"temporary flight restriction",
        forms=(
            "What are temporary flight restrictions made for, and when do you look for them?",
            "A large wildfire burns along your route. What might have been put over it, and how would you "
            "know?",
        ),
    ),
)
