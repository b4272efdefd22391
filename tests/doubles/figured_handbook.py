"""A handbook whose figures, references and subjects are known: the truth that links are measured against.

`SUBJECTS` are written for it: each has a caption, a paragraph that speaks of what the figure shows without naming it,
and one that names it. `FILLER` speaks of the same trade in the same common words and means no figure at all.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pymupdf

from .source_files import figure


@dataclass(frozen=True, slots=True)
class Subject:
    caption: str
    about: str
    named: str  # with {figure} where the figure is named


@dataclass(frozen=True, slots=True)
class Truth:
    """Which paragraphs (their number) belong to which figures (their number), and how."""

    paragraphs: tuple[str, ...]
    pages: tuple[int, ...]
    labels: tuple[str, ...]
    captions: tuple[str, ...]
    figure_pages: tuple[int, ...]
    by_name: frozenset[tuple[int, int]]
    by_subject: frozenset[tuple[int, int]]


SUBJECTS = (
    Subject(
        "Carburetor ice forming around the throttle valve.",
        "Moist air that is cooled by vaporising fuel leaves frost in the carburetor. Ice builds up near the throttle "
        "valve first, and the engine loses power little by little.",
        "Apply heat as soon as roughness is noticed. [{figure}] A partial application may do more harm than none.",
    ),
    Subject(
        "Wake turbulence behind a heavy airplane.",
        "A heavy airplane that flies slowly leaves the strongest vortices. The turbulence of its wake sinks below the "
        "flight path and drifts with the wind.",
        "As {figure} makes clear, a light aircraft stays above the path of the one ahead.",
    ),
    Subject(
        "Magnetic compass errors in a turn to the north.",
        "In a turn from north the compass card lags and shows less than the magnetic heading. Such errors vanish near "
        "the equator.",
        "The dip of the earth's field explains this ({figure}).",
    ),
    Subject(
        "Standard traffic pattern with its five legs.",
        "The five legs of a standard pattern are flown with turns to the left. Traffic that enters does so at an angle "
        "to the downwind leg.",
        "See {figure} for the usual altitudes and the points at which the turns begin.",
    ),
    Subject(
        "Vacuum pump driving the gyroscopic instruments.",
        "A pump on the engine draws air over the rotors. When the vacuum falls, the gyroscopic instruments slow down "
        "without a warning and mislead.",
        "The parts are laid out in {figure}. A regulator keeps the suction within limits.",
    ),
    Subject(
        "Radiation fog over a river valley at dawn.",
        "On calm, clear nights the ground loses heat by radiation, and fog fills the valley along the river. It lifts "
        "some hours after dawn.",
        "{figure} was taken an hour before it burned off.",
    ),
    Subject(
        "Loading envelope with the aft limit exceeded.",
        "When the baggage is loaded too far back, the point lies outside the envelope beyond the aft limit. The nose "
        "then rises by itself.",
        "Plot weight against moment as in {figure}, and read the result.",
    ),
    Subject(
        "Static port blocked by insects or tape.",
        "Tape that was left on after washing, or insects, may have blocked the static port. The altimeter "
        "freezes where "
        "it stood on the ground.",
        "An alternate source ({figure}) is opened by a lever under the panel.",
    ),
    Subject(
        "Segmented circle beside a landing strip.",
        "A circle that is segmented tells from the air which way the patterns go. It lies beside the strip, with the "
        "landing direction in its middle.",
        "Traffic indicators point as {figure} has it.",
    ),
    Subject(
        "Hypoxia symptoms at rising cabin altitudes.",
        "The symptoms begin with false wellbeing. Hypoxia is worse the longer the cabin stays at altitude, and "
        "judgement "
        "goes before the senses do.",
        "Times of useful consciousness are in {figure}.",
    ),
    Subject(
        "Cold front lifting warm moist air.",
        "Behind the front the cold air wedges below the warm air and lifts it. What was moist becomes a line of "
        "showers "
        "within the hour.",
        "Compare the slopes in {figure} before a decision to go on.",
    ),
    Subject(
        "Detonation and normal combustion in a cylinder.",
        "Normal combustion burns evenly from the plug. Detonation is an explosion of what is left in the cylinder, and "
        "it ruins pistons.",
        "The two are set side by side in {figure}; the cure is a richer mixture.",
    ),
    Subject(
        "Visual glide path lights seen too low.",
        "Four reds mean that you are too low. The lights of a visual glide path are seen from four miles by day "
        "and far "
        "more by night.",
        "The colours are those of {figure}.",
    ),
    Subject(
        "Spatial disorientation during a graveyard spiral.",
        "In a spiral the inner ear reports level flight. A pilot with disorientation pulls harder and tightens "
        "it until "
        "the ground ends the spatial puzzle: the graveyard has its name from that.",
        "How the fluid in the canals behaves is drawn in {figure}.",
    ),
    Subject(
        "Fuel selector with both tanks feeding.",
        "With the selector on both, the tanks feed by gravity at much the same rate. A fuel imbalance is then rare.",
        "The lines run as {figure} has them, from the sump to the strainer.",
    ),
    Subject(
        "Mountain wave with rotor clouds downwind.",
        "Strong wind across a ridge sets up a wave. Rotor clouds mark the most violent part, and they stay where they "
        "are while the mountain air rushes through them downwind.",
        "Cross at an angle, as in {figure}, with height to spare.",
    ),
    Subject(
        "Aileron drag and adverse yaw.",
        "The lowered aileron has more drag than the raised one. The nose swings the wrong way: adverse yaw, which the "
        "rudder has to meet.",
        "{figure} has the forces on both wings.",
    ),
    Subject(
        "Alternator circuit with its overvoltage relay.",
        "A relay takes the alternator off the line when the voltage is too high. The circuit then lives on the battery "
        "alone, which lasts half an hour after an overvoltage.",
        "Trace the current in {figure} from the bus to the lamp.",
    ),
    Subject(
        "Ground effect within one wingspan of the runway.",
        "Within one wingspan of the surface the induced drag is less. Ground effect lets an overloaded machine "
        "leave the "
        "runway and then sink back.",
        "The figures that belong to it stand beside {figure}.",
    ),
    Subject(
        "Minimum equipment list carried on board.",
        "An operator who carries an approved list on board may fly with certain equipment inoperative. Without the "
        "minimum list the older rule holds.",
        "A page of one is reproduced as {figure}.",
    ),
)

FILLER = (
    "A pilot prepares each flight on the ground. The weather, the runway and the aircraft are looked at together, and "
    "a plan is made for what may go wrong.",
    "Airspeed is life, and altitude is insurance: the engine gives neither back when it stops. Practice with a teacher "
    "before it happens.",
    "The air is never quite still. Wind and heat move it, and an airplane moves with it whether the pilot likes it.",
    "Limits are printed in the manual of each airplane. Whoever exceeds them is on his own, and the next pilot pays.",
    "Good landings follow good approaches. The path to the runway is set up early and flown with small corrections.",
    "Turns are made with rudder and ailerons together. The ball stays in its cage when the pressure is right.",
    "Power and pitch work together. Whoever lowers the nose gains speed and loses height at once.",
    "Night flying needs rested eyes. Lights mislead, distances shrink, and the horizon may be no horizon at all.",
    "A checklist is read aloud. What is skipped once will be skipped again, and one day it will be the fuel.",
    "Instruments fail seldom, and never at a good time. Cross-check them, and believe two that agree.",
    "The tower gives a clearance, the pilot reads it back. A misheard number has ended more than one career.",
    "Passengers are told of belts and doors before the engine starts. A calm voice is part of the briefing.",
    "The mixture burns cleanly when fuel and air are in proportion. Leaning by the book saves both money and valves.",
    "Heat and height take power away. A long strip on a cool morning forgives what a short one at noon does not.",
)

FOREIGN = (
    "For the test, refer to FAA-CT-8080-2H, Figure 26, area 4, which lies beside the computer.",
    "The same subject is treated in Figure 1-3 of the Airplane Flying Handbook for those who like to read on.",
    "The legend is that of AIM Figure 1-2; it has not changed for years, and 1-4 others may be found there.",
)


def write_handbook(path: Path | None, seed: int = 0) -> Truth:
    """Write the handbook, if there is a path, and say what is true of it. Chapters have four figures each; every third
    one is drawn as vectors, the rest are pictures."""
    dice = random.Random(seed)
    subjects = list(SUBJECTS)
    dice.shuffle(subjects)
    labels = [f"Figure {at // 4 + 1}-{at % 4 + 1}" for at in range(len(subjects))]
    writer = _Writer()
    for at, subject in enumerate(subjects):
        texts = _texts(subject, at, labels, dice)
        writer.tell(at, texts)
        if path:
            writer.page(at, f"{labels[at]}. {subject.caption}", texts)
    if path:
        writer.document.save(path)
    writer.document.close()
    return Truth(
        tuple(writer.paragraphs),
        tuple(writer.pages),
        tuple(labels),
        tuple(subject.caption for subject in subjects),
        tuple(range(1, len(subjects) + 1)),
        frozenset(writer.by_name),
        frozenset(writer.by_subject),
    )


_Text = tuple[
    str, Sequence[int], Sequence[int]
]  # the text, the figures it names, those of whose subject it speaks


def _texts(subject: Subject, at: int, labels: Sequence[str], dice: random.Random) -> list[_Text]:
    other = dice.randrange(len(labels))
    texts: list[_Text] = [
        (subject.about, (), (at,)),
        (subject.named.format(figure=labels[at]), (at,), ()),
        (dice.choice(FILLER), (), ()),
        (dice.choice(FILLER), (), ()),
    ]
    if at % 4 == 1:
        texts.append((dice.choice(FOREIGN), (), ()))
    if at % 4 == 3:
        numbers = [label.removeprefix("Figure ") for label in labels[at - 3 : at + 1]]
        text = f"The chapter is summed up by Figures {numbers[0]} through {numbers[3]}, in this order."
        texts.append((text, range(at - 3, at + 1), ()))
    if at % 4 == 2 and other != at:
        pair = sorted({at, other})
        first, second = (labels[one].removeprefix("Figure ") for one in pair)
        text = f"Study Figures {first} and {second} again."
        texts.append((text, pair, ()))
    dice.shuffle(texts)
    return texts


class _Writer:
    def __init__(self) -> None:
        self.document = pymupdf.open()
        self.paragraphs: list[str] = []
        self.pages: list[int] = []
        self.by_name: set[tuple[int, int]] = set()
        self.by_subject: set[tuple[int, int]] = set()

    def tell(self, at: int, texts: Sequence[_Text]) -> None:
        for text, named, spoken in texts:
            number = len(self.paragraphs)
            self.paragraphs.append(text)
            self.pages.append(at + 1)
            self.by_name |= {(number, figure) for figure in named}
            self.by_subject |= {(number, figure) for figure in spoken}

    def page(self, at: int, caption: str, texts: Sequence[_Text]) -> None:
        page = self.document.new_page()
        for line, (text, _, _) in enumerate(texts):
            page.insert_textbox((72, 72 + 60 * line, 540, 132 + 60 * line), text, fontsize=11)
        if at % 3 == 2:
            draw(page, (150, 480, 400, 620), at)
        else:
            page.insert_image((150, 480, 400, 620), stream=figure(at))
        page.insert_text((150, 640), caption, fontsize=9)


def draw(page: "pymupdf.Page", box: tuple[float, float, float, float], seed: int) -> None:
    """A drawing in vectors: a frame, a curve of many strokes, and letters on it."""
    x0, y0, x1, y1 = box
    dice = random.Random(seed)
    page.draw_rect(box, color=(0, 0, 0), width=1)
    points = [(x0 + (x1 - x0) * step / 20, y0 + (y1 - y0) * dice.random()) for step in range(21)]
    page.draw_polyline(points, color=(0.8, 0.1, 0.1), width=2, lineJoin=1)
    for x, y in points[::4]:
        page.draw_circle((x, y), 4, color=(0, 0, 0.7), fill=(0.6, 0.7, 1))
        page.insert_text((min(x + 5, x1 - 20), min(y + 3, y1 - 4)), f"{dice.randrange(90)}", fontsize=8)
