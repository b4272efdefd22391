"""A text becomes the places it names, each with where it stands. Pure.

Names come first, then adjectives, then airports, prefixes and codes. What is written with a code's letters counts only
where it is meant as one: "is IT required" and "LIST" are words, "rules in IT" and "FR, IT and CH" are not.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final, Literal

from rules.countries import airports, codes
from rules.countries.adjectives import ADJECTIVES, LANGUAGES, OF_PARTS, PEOPLES
from rules.countries.names import EUROPE, NO_PLACES, PARTS, PLACES, USUAL_NAMES, folded

Kind = Literal["name", "adjective", "airport", "prefix", "code"]
Span = tuple[int, int]

LIKENESS = 0.85  # of a misspelt name (difflib): two letters changed places in seven
LEAST_LETTERS = 6  # of a word that may be a misspelt name; shorter ones are near too many words
NOT_MISSPELT: Final = frozenset(
    {
        "siberia",
        "turnkey",
        "hungry",
        "germane",
        "spacing",
        "islands",
        "holland",
        "austral",
        "greener",
        "frances",
    }
)


@dataclass(frozen=True, slots=True)
class Mention:
    """`countries` has one code but for names of several ("Benelux"); `start` and `end` are places in the text;
    `of_part` says that the name is one of a part of a country."""

    countries: tuple[str, ...]
    start: int
    end: int
    kind: Kind
    of_part: bool = False

    @property
    def is_part(self) -> bool:
        """Whether less than a country is named: "Corsica", "LFMD"."""
        return self.of_part or self.kind == "airport"


def mentions_in(text: str) -> tuple[Mention, ...]:
    """Every place that the text names, in its order; one that is named twice is there twice."""
    reader = _Reader(text)
    return reader.read()


# Words before which no place can stand, so that a name of a thing is told from it ("a jersey", "some turkey").
_OF_A_THING = re.compile(
    r"\b(?:an?|my|his|her|your|our|some|roast|cold|wear(?:ing)?|had|ate|eat(?:ing)?)\s+$"
)
_THINGS: Final = frozenset({"jersey", "turkey", "chad", "china", "jordan", "guinea"})
_RADIO_LETTER = re.compile(
    r"\b(?:taxiway|information|point|stand|gate|letter|atis|intersection|squawk|call ?sign|alpha|bravo"
    r"|charlie|delta|echo"
    r"|foxtrot|golf|hotel|juliet|kilo|lima|mike|november|oscar|papa|quebec|romeo|sierra|tango|uniform"
    r"|victor|whiskey"
    r"|x-?ray|yankee|zulu)\s+$"
)
_LANGUAGE_BEFORE = re.compile(
    r"\b(?:speak|speaks|speaking|spoke|spoken|talk|talks|talking|understand|understands|understanding|know"
    r"|knows|learn"
    r"|learning|fluent in|fluent|write|writes|written in|read|said in|say it in|use|uses|using|in|into|only"
    r"|my|no"
    r"|plain|without|broken|basic|standard|local language|language|phrases in|or|and|than)\s+$"
)
_LANGUAGE_AFTER = re.compile(
    r"(?:[\s-]+(?:language|speaking|speaker|speakers|phraseology|radiotelephony|r/t|rt\b|words?\b|phrases?"
    r"|proficiency"
    r"|level\b|only\b|spoken|translation|lessons|on the radio|over the radio|instead|please|at all"
    r"|with (?:atc|fis|afis|the)"
    r"|to (?:atc|fis|afis|the)|or (?:english|not|is|can|do)|if\b|fluently|well\b"
    r"|(?:is |be |are )?(?:used|required|mandatory|accepted|compulsory|obligatory|necessary|enough"
    r"|sufficient|acceptable)))"
)
_NOT_A_THING = re.compile(
    r"\s*(?:$|[?.!,;:)\"']|(?:at|on|in|or|and|is|are|to|for|with|over|when|while|if|of|please|only|as|from"
    r"|by|than|not|too"
    r"|also|ok|okay|there|here|be|enough|instead|everywhere|required|mandatory|allowed|spoken|used|needed"
    r"|compulsory"
    r"|accepted|permitted|necessary|possible|obligatory)\b)"
)
_OTHER_LANGUAGE = re.compile(r"\s*(?:or|and|/|,)\s*([a-z]+)")
_SAID_BEFORE = re.compile(
    r"\b(?:speak|speaks|speaking|spoken|talk|talks|talking|understand|understands)(?: (?:only|good|some|any"
    r"|no|in))?\s+$"
)
_SPOKEN = re.compile(
    r"\b(?:speak|speaks|speaking|spoken|talk|talks|talking|language|languages|fluent|radio|phraseology|r/t)\b"
)
_RULED = re.compile(
    r"[\s-]+(?:(?!(?:or|and|to|at|by|in|on|used|is|are|for|with|of|over|if|mandatory|required|what|how|who|when"
    r"|where|why|this|that|the|my|your|a|an|do|does|can|be|will|not|as|so|please)\b)\w+\s+){0,2}?(?:rules?"
    r"|regulations?|laws?|airspace|airfields?|airports?|aerodromes?"
    r"|airstrips?|strips?|fir|caa|customs"
    r"|border|coast|atc|fis|controllers?|vfr|ifr|ppr|flight|pilots?|aip|authority|authorities|islands?"
    r"|circuit|class|zones?"
    r"|ones?|way|side|system|requirements?|practice|procedures?|skies|territory|waters|transponder"
    r"|mountains|alps|registered"
    r"|military|restricted|danger|fields?|uncontrolled|controlled|law|equivalent|answer|case|situation"
    r"|licen[cs]e|aircraft"
    r"|legislation|semicircular|grass|clubs?|police|government|immigration|permission|version|approach|part"
    r"|sector|gliding"
    r"|parachute|prohibited|police|plane|radio|squawk|weather|notams?|transit|overflight|microlights?)\b"
)
# After one of these the name of a country can stand, and so a code of one.
_PLACE_BEFORE = re.compile(
    r"(?:\b(?:in|into|inside|within|for|from|over|across|between|via|through|vs\.?|versus|country|countries"
    r"|aip|code|than in"
    r"|leaving|entering|visiting|exclude|excluding|except|of|to|about|compare|compared|with|not|against|add"
    r"|like|flying"
    r"|near|at|and|or|also)"
    r"|^(?:and|or|what about|how about|now|ok|same for|ppr|vfr|ifr))[\s:(\"']+$",
    re.IGNORECASE,
)
_IN_BEFORE = re.compile(
    r"\b(?:in|into|inside|within|for|from|over|across|between|via|through|vs\.?|versus|country|countries"
    r"|aip|code|visiting"
    r"|entering|leaving|(?:what|how) about)(?: the)?[\s:(\"']+$",
    re.IGNORECASE,
)
_WITHIN_BEFORE = re.compile(
    r"\b(?:in|into|inside|within|from|over|across|between|via|through|vs\.?|versus|country|countries|code"
    r"|visiting|entering"
    r"|leaving|to|and|or)(?: the)?[\s:(\"']+$",
    re.IGNORECASE,
)
_FIRMLY_BEFORE = re.compile(
    rf"(?:{_IN_BEFORE.pattern[:-1]}|\b(?:compare|rules|ppr|than|about)[\s:(\"']+)$", re.IGNORECASE
)
_LISTED = re.compile(
    r"^\s*(?:[,/&+>;|-]|→|,?\s*(?:and|or|vs\.?|versus|to|with|und|et)\b)?\s*$", re.IGNORECASE
)
_STRICTLY_LISTED = re.compile(r"^\s*(?:[,/&+|-]|→|\band\b|\bvs\.?\b|\bversus\b|,\s*and\b)\s*$", re.IGNORECASE)
_SLASHED = re.compile(r"^(?:\s?[/+&]\s?|-)$")
_AIRPORT_BEFORE = re.compile(
    r"\b(?:at|to|from|into|near|via|for|of|between|around|in|icao|airport|airfield|aerodrome|destination"
    r"|alternate)\s+$",
    re.IGNORECASE,
)
# A message of a code alone ("IT?"), or one that begins with it ("BE: is PPR needed?").
_STANDS_ALONE = re.compile(
    r"^\W*(?:(?:and|also|plus|now|ok)\W+)?@\s*(?:too|as well|then|only|please)?\W*$"
    r"|^\W*@\s*:|^\W*@,? (?:but )?not\b",
    re.IGNORECASE,
)
_RULED_CODE = re.compile(
    r"\s+(?:rules?|regulations?|airspace|ppr|too|as well|only|vs|versus|stricter|easier|different)\b",
    re.IGNORECASE,
)
_ARTICLE_BEFORE = re.compile(r"\b(?:an?|the|some|my|your|any|no|this|that)\s+$", re.IGNORECASE)
_PAIR = re.compile(r"^\s*(?:vs\.?|versus|/|&|\+|,|and|to|-|or)\s*([A-Za-z]{2,3})(?![A-Za-z0-9'’])")
_JOINING: Final = frozenset({"TO", "IN", "AS", "BY", "DO", "AND", "CAN", "ARE", "PER", "SO"})
_VERBS: Final = frozenset({"BE", "DO", "GO", "ME", "IT", "US", "NO", "ADD"})
# Abbreviations of flying before they are countries: general aviation, instrument rating, identification, radios,
# instructors.
_FLYING: Final = frozenset(
    {
        "GA",
        "IR",
        "PA",
        "ID",
        "FM",
        "PM",
        "CO",
        "COM",
        "TCA",
        "PAN",
        "ATA",
        "MDA",
        "AI",
        "SR",
        "TA",
        "CRI",
        "ET",
    }
)
# Makers of aircraft, before a number: "BE 36".
_MAKERS: Final = frozenset({"AT", "BE"})
_TYPE_AFTER: Final = re.compile(r"\s\d{2}\b")
# Left hand, language proficiency, low: prefixes only where a place could stand.
_DOUBTFUL_PREFIXES: Final = frozenset({"LH", "LP", "LO"})
_AMONG_PREFIXES: Final = re.compile(
    r"\b[A-Z]{2}(?:,| and| or| to|/|-)\s?@|@(?:,| and| or| to|/|-)\s?[A-Z]{2}\b"
)
# After "in", at the end of a phrase, these can be no words.
_NO_WORDS_AFTER_IN: Final = frozenset({"BE", "NO", "IS"})
_IN_ALONE: Final = re.compile(r"\b(?:in|into|inside|within)\s+$", re.IGNORECASE)
_PHRASE_ENDS: Final = re.compile(r"\s*(?:$|[?.!,;:)])")
_NO_PREFIXES: Final = frozenset({"EN", "ET", "UK", "US", "BG", "UA", "UM", "UN", "UR", "UT", "UB"})
_NUMBER_BEFORE = re.compile(r"\d\s*$")
_NOUN_AFTER_NO = re.compile(
    r"\s+(?:way|case|circumstances?|event|time|particular|more|longer|other|order|need|matter)\b"
)
_PREFIX_AFTER = re.compile(r"(?:\*{1,2}|-{1,2}(?!\w)|\.{2,}|_{2}|…|xx\b|XX\b|\?\?)")
_PREFIX_WORD_BEFORE = re.compile(
    r"\b(?:prefix(?:es|ed)?|icao|indicators?|identifiers?|start(?:s|ing)?|begin(?:s|ning)?|codes?)"
    r"(?:\s+(?:with|by|in|is|are|of|prefix|code|codes|letters|the|for))*[\s:\"'“‘(]+$",
    re.IGNORECASE,
)
_PREFIX_WORD_AFTER = re.compile(
    r"^[\"'”’)*\s-]*(?:prefix|icao|codes?\b|indicators?|identifiers?)", re.IGNORECASE
)
_FIELDS_AFTER = re.compile(
    r"^[\"'”’)*\s-]*(?:airfields?|airports?|aerodromes?|fields?|prefix|airspace|land\b|destinations?|strips?)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\b(?:https?://|www\.)\S+|\S+@\S+\.\w+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|eu|be|de|fr|uk|it|ch)\b"
)
_FOUR = re.compile(r"(?<![A-Za-z0-9])(?<!\s[A-Z]-)[A-Za-z]{4}(?![A-Za-z0-9])")  # nor the end of D-EABC
_THREE = re.compile(r"(?<![A-Za-z0-9'’])[A-Za-z]{3}(?![A-Za-z0-9'’])")
_TWO = re.compile(
    r"(?<![A-Za-z0-9'’.])[A-Za-z]{2}(?![A-Za-z0-9'’]|-\d|-[A-Z]{3,4}(?![A-Za-z])|-reg)"
)  # no registration (EI-ABC, "PH-registered"), no type (AT-3)
_MASKED_PREFIX = re.compile(
    r"(?<![A-Za-z0-9])([A-Za-z]{2})(?:[A-Z](?:x|\*)|\*{1,2}|xx|XX|\?\?|_{1,2}|\.{2,3}|…|-{1,2}(?![A-Za-z0-9]))(?![A-Za-z])"
)
_WORD = re.compile(rf"[a-z]{{{LEAST_LETTERS},}}")


@cache
def _pattern_of(kind: Literal["places", "no_places", "adjectives"]) -> re.Pattern[str]:
    words = {"places": PLACES, "no_places": NO_PLACES, "adjectives": ADJECTIVES | PEOPLES}[kind]
    longest_first = sorted(words, key=len, reverse=True)
    alternatives = "|".join(_flexible(name) for name in longest_first)
    return re.compile(rf"(?<![\w@])(?:{alternatives})(?:['’]s)?(?!\w)")


def _flexible(name: str) -> str:
    """A space may be several, or a hyphen; "and" may be "&"."""
    parts = [re.escape(part) for part in name.split(" ")]
    return r"[\s-]+".join("(?:and|&)" if part in ("and", r"\&") else part for part in parts)


@cache
def _misspelt(word: str) -> tuple[str, ...]:
    if word in NOT_MISSPELT:
        return ()
    names = [
        name for name, found in USUAL_NAMES.items() if len(name) >= LEAST_LETTERS and set(found) <= EUROPE
    ]
    near = get_close_matches(word, [name for name in names if name[0] == word[0]], n=1, cutoff=LIKENESS)
    return USUAL_NAMES[near[0]] if near else _exchanged(word)


def _exchanged(word: str) -> tuple[str, ...]:
    """The place of which two neighbouring letters have changed places: "frnace"."""
    for n in range(len(word) - 1):
        found = USUAL_NAMES.get(word[:n] + word[n + 1] + word[n] + word[n + 2 :], ())
        if found and set(found) <= EUROPE:
            return found
    return ()


class _Reader:
    """Keeps what is found, and what of the text is taken by it."""

    def __init__(self, text: str) -> None:
        self.text = _ADDRESS.sub(lambda found: " " * len(found[0]), text)
        self.small = folded(self.text)
        self.shouted = not any(letter.islower() for letter in self.text)
        self.found: list[Mention] = []
        self.taken: list[Span] = []

    def read(self) -> tuple[Mention, ...]:
        self.taken += [found.span() for found in _pattern_of("no_places").finditer(self.small)]
        steps: Sequence[Callable[[], Iterator[Mention]]] = (
            self._names,
            self._adjectives,
            self._masked_prefixes,
            self._airports,
            self._sure_codes,
            self._rows_of_codes,
            self._doubtful_codes,
            self._doubtful_codes,
            self._slips,
        )
        for step in steps:
            for mention in step():
                if not self._is_taken(mention.start, mention.end):
                    self.found.append(mention)
                    self.taken.append((mention.start, mention.end))
        return tuple(sorted(self.found, key=lambda one: one.start))

    def _is_taken(self, start: int, end: int) -> bool:
        return any(start < stop and begin < end for begin, stop in self.taken)

    def _names(self) -> Iterator[Mention]:
        for found in _pattern_of("places").finditer(self.small):
            name = re.sub(r"['’]s$", "", found[0])
            if self._is_thing(name, found.start()):
                self.taken.append(found.span())
            else:
                yield Mention(PLACES[_key(name)], *found.span(), "name", _key(name) in PARTS)

    def _is_thing(self, name: str, start: int) -> bool:
        before = self.small[:start]
        if name in _THINGS and self.text[start].islower() and _OF_A_THING.search(before):
            return True
        return name == "india" and bool(_RADIO_LETTER.search(before))

    def _adjectives(self) -> Iterator[Mention]:
        for found in _pattern_of("adjectives").finditer(self.small):
            word = re.sub(r"['’]s$", "", found[0])
            if self._is_language(word, *found.span()):
                self.taken.append(found.span())
            else:
                yield Mention(((ADJECTIVES | PEOPLES)[word],), *found.span(), "adjective", word in OF_PARTS)

    def _is_language(self, word: str, start: int, end: int) -> bool:
        if word not in LANGUAGES:
            return False
        before, after = self.small[:start], self.small[end:]
        if re.search(r"\bthe\s+$", before) and not re.match(r"[\s-]+language", after):
            return False
        beside = _OTHER_LANGUAGE.match(after)
        if beside and beside[1] in LANGUAGES:
            return self._is_language(beside[1], end + beside.start(1), end + beside.end(1))
        if before.strip() in ("and", "or", "also", "plus") and not after.strip(" ?.!,"):
            return False
        if _LANGUAGE_AFTER.match(after) or _SAID_BEFORE.search(before):
            return True
        if _RULED.match(after):
            return False
        if word in ("english", "polish"):
            return True
        if _NOT_A_THING.match(after):
            return bool(_LANGUAGE_BEFORE.search(before) or _SPOKEN.search(self.small))
        return False

    def _masked_prefixes(self) -> Iterator[Mention]:
        """ "EDxx", "LF**", "EG.."."""
        for found in _MASKED_PREFIX.finditer(self.text):
            country = airports.country_of_prefix(found[1])
            ends_in_dash = found[0].rstrip("-") != found[0]
            trails_off = found[0].endswith(("...", "…")) and found[1] in codes.ALPHA_2
            if country and not trails_off and not (ends_in_dash and found[1].islower()):
                yield Mention((country,), *found.span(), "prefix")

    def _airports(self) -> Iterator[Mention]:
        for found in _FOUR.finditer(self.text):
            country = self._country_of_four(found[0], found.start())
            if country:
                yield Mention((country,), *found.span(), "airport")

    def _country_of_four(self, code: str, start: int) -> str:
        if code.upper() in airports.NO_AIRPORTS or not (code.isupper() or code.islower() or code.istitle()):
            return ""
        country = airports.country_of_airport(code)
        if country:
            return country if self._is_airport(code, self.text[:start]) else ""
        return airports.country_of_prefix(code[:2]) if self._may_be_one(code, start) else ""

    def _is_airport(self, code: str, before: str) -> bool:
        """Whether letters that stand in the table are meant as an airport's."""
        if code.lower() in airports.WORDS:
            return code.isupper() and not self.shouted and bool(_AIRPORT_BEFORE.search(before))
        return code.isupper() or not _ARTICLE_BEFORE.search(before)

    def _may_be_one(self, code: str, start: int) -> bool:
        """An indicator that the table has not: where an airport could stand, and in Europe."""
        known = airports.country_of_prefix(code[:2]) in EUROPE
        return code.isupper() and known and bool(_AIRPORT_BEFORE.search(self.text[:start]))

    def _sure_codes(self) -> Iterator[Mention]:
        """Codes that are no words, in capitals; and those after which or before which somebody says "prefix"."""
        for found in _TWO.finditer(self.text):
            mention = self._prefix(found)
            if mention:
                yield mention
            elif found[0].isupper() and self._is_free(found[0]) and not self._is_numbered(found.start()):
                yield Mention((codes.ALPHA_2[found[0]],), *found.span(), "code")
            elif found[0].lower() == "uk":
                yield Mention(("GB",), *found.span(), "code")
        for found in _THREE.finditer(self.text):
            code = found[0].upper()
            plain = code in codes.THREE_LETTERS and code not in codes.AMBIGUOUS_3
            sure = plain and codes.THREE_LETTERS[code] in EUROPE | {"US", "AE"}
            if sure and (found[0].isupper() or found[0].islower()) and not self._is_numbered(found.start()):
                yield Mention((codes.THREE_LETTERS[code],), *found.span(), "code")

    def _prefix(self, found: re.Match[str]) -> Mention | None:
        country = airports.country_of_prefix(found[0])
        if not country or not (found[0].isupper() or found[0].islower()):
            return None
        before, after = self.text[: found.start()], self.text[found.end() :]
        named = _PREFIX_WORD_BEFORE.search(before) or _PREFIX_WORD_AFTER.match(after)
        unlike_iso = found[0] not in codes.ALPHA_2 or codes.ALPHA_2[found[0]] not in EUROPE
        usable = country in EUROPE and found[0].upper() not in _NO_PREFIXES
        fields = usable and _FIELDS_AFTER.match(after)
        word = found[0].upper() in codes.USUAL_WORDS
        free = usable and not word
        placed = named or fields or _IN_BEFORE.search(before) or _AMONG_PREFIXES.search(f"{before}@{after}")
        if found[0].upper() in _DOUBTFUL_PREFIXES and not placed:
            return None
        capital = found[0].isupper() and not self.shouted
        if found[0] == "EG" and capital and usable and _AMONG_PREFIXES.search(f"{before}@{after}"):
            return Mention((country,), *found.span(), "prefix")
        lonely = found[0].isupper() and _STANDS_ALONE.match(f"{before}@{after}")
        alone = ((capital or lonely) and free and unlike_iso) or (
            fields and (capital or (free and unlike_iso))
        )
        if (named and not (word and found[0].islower())) or alone:
            return Mention((country,), *found.span(), "prefix")
        return None

    def _is_free(self, code: str) -> bool:
        if code == "US":
            return not self.shouted
        return code in codes.ALPHA_2 and codes.ALPHA_2[code] in EUROPE and code not in codes.TWO_LETTER_WORDS

    def _is_numbered(self, start: int) -> bool:
        return bool(_NUMBER_BEFORE.search(self.text[:start]))

    def _rows_of_codes(self) -> Iterator[Mention]:
        """ "lu be nl", "rules fr, de, it", "SE or NO: ppr": codes one after the other."""
        for row in codes.rows_in(self.text):
            for found in row:
                code = found[0].upper()
                country = codes.ALPHA_2.get(code) or codes.THREE_LETTERS[code]
                yield Mention((country,), *found.span(), "code")

    def _doubtful_codes(self) -> Iterator[Mention]:
        """Codes that are words or not written as codes are, where a country could stand."""
        for found in (*_THREE.finditer(self.text), *_TWO.finditer(self.text)):
            code = found[0].upper()
            known = codes.ALPHA_2 if len(code) == 2 else codes.THREE_LETTERS
            if (
                code in known
                and not self._is_numbered(found.start())
                and self._is_meant(found[0], *found.span())
            ):
                yield Mention((known[code],), *found.span(), "code")

    def _is_meant(self, spelt: str, start: int, end: int) -> bool:
        code, before, after = spelt.upper(), self.text[:start], self.text[end:]
        usual = code in codes.USUAL_WORDS or code in codes.AMBIGUOUS_3
        if code in _FLYING or (code in _MAKERS and _TYPE_AFTER.match(after)):
            return False
        if code in _NO_WORDS_AFTER_IN and _IN_ALONE.search(before) and _PHRASE_ENDS.match(after):
            return True
        if spelt.isupper() and _STANDS_ALONE.match(f"{before}@{after}"):
            return True
        if spelt.isupper() and not self.shouted:
            if re.match(r"\s+airports?\b|\s+airfields?\b", after) and code not in codes.USUAL_WORDS:
                return bool(_PLACE_BEFORE.search(before))
            ruled = code != "NO" and _RULED_CODE.match(after)  # "NO rules" are none
            if code not in _JOINING and (ruled or _is_paired(code, after, capital=True)):
                return True
            listed = code not in _JOINING and self._is_listed(start, end, strictly=usual)
            return listed or self._is_after(code, before, after)
        if spelt.islower() or self.shouted:
            if code in codes.USUAL_WORDS or code in codes.SMALL_WORDS:
                return self._is_slashed(start, end)
            if len(code) == 2 and (codes.ALPHA_2[code] not in EUROPE):
                return False
            firmly = _FIRMLY_BEFORE.search(before) and _ends(after)
            return bool(firmly) or _is_paired(code, after) or self._is_listed(start, end, strictly=usual)
        return False

    def _is_after(self, code: str, before: str, after: str) -> bool:
        """Whether a code in capitals stands where a country's name could."""
        doubtful = code in codes.TWO_LETTER_WORDS or code in codes.AMBIGUOUS_3
        country = codes.ALPHA_2.get(code) or codes.THREE_LETTERS[code]
        if doubtful and code in codes.AMBIGUOUS_3 and country not in EUROPE:
            return False
        if not (_PLACE_BEFORE if code not in codes.USUAL_WORDS else _IN_BEFORE).search(before):
            return self._is_to(code, before, after)
        if doubtful and not _WITHIN_BEFORE.search(before) and not _ends(after):
            return False
        return not (code == "NO" and _NOUN_AFTER_NO.match(after))

    def _is_to(self, code: str, before: str, after: str) -> bool:
        """ "from FR to IT"; "needs to BE filed" is none."""
        onward = re.search(r"\bto\s+$", before)
        if onward and code not in _VERBS and re.match(r"\s*(?:$|[?.!,;:])", after):
            return True
        return bool(onward) and any(_from(self.text, one) and one.end <= len(before) for one in self.found)

    def _neighbours(self, start: int, end: int, pattern: re.Pattern[str]) -> int:
        left = any(self._is_beside(one, one.end, start, pattern) for one in self.found)
        right = any(self._is_beside(one, end, one.start, pattern) for one in self.found)
        return left + right

    def _is_beside(self, other: Mention, start: int, end: int, pattern: re.Pattern[str]) -> bool:
        """Whether what lies between lists both; a name follows no code without a sign: "Île de France"."""
        between = self.text[start:end]
        apart = other.kind in ("code", "prefix", "airport") or bool(between.strip())
        return start <= end and apart and bool(pattern.match(between))

    def _is_listed(self, start: int, end: int, *, strictly: bool) -> bool:
        return self._neighbours(start, end, _STRICTLY_LISTED if strictly else _LISTED) > 0

    def _is_slashed(self, start: int, end: int) -> bool:
        """ "fr/be/at": not even words of every day are words there."""
        return self._neighbours(start, end, _SLASHED) > 0

    def _slips(self) -> Iterator[Mention]:
        for found in _WORD.finditer(self.small):
            countries = () if self._is_taken(*found.span()) else _misspelt(found[0])
            if countries:
                yield Mention(countries, *found.span(), "name")


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", " ", name).replace("&", "and")


_SPELT: Final = {_plain(spelt): spelt for spelt in reversed(PLACES)}


def _key(name: str) -> str:
    """A place's name as it is listed, wherever strokes and blanks stand in it."""
    return name if name in PLACES else _SPELT[_plain(name)]


def _is_paired(first: str, after: str, *, capital: bool = False) -> bool:
    """ "gb vs fr": another code follows that is no word. In capitals it may be one: "IT and AT"."""
    found = _PAIR.match(after)
    code = found[1].upper() if found else ""
    known = codes.ALPHA_2.get(code) or codes.THREE_LETTERS.get(code, "")
    if not found or known not in EUROPE or {first, code} <= codes.RATINGS:
        return False
    if capital:
        return found[1].isupper() and code not in _JOINING
    return code not in codes.USUAL_WORDS | codes.SMALL_WORDS | codes.AMBIGUOUS_3


def _ends(after: str) -> bool:
    """The code is the last of its phrase, so that it is no adjective or article of another language."""
    return bool(
        re.match(
            r"\s*(?:$|[?.!,;:)/&+-]|(?:and|or|vs\.?|versus|to|with|for|under|without|is|are|do|does|can|if"
            r"|at|please|as|than"
            r"|vfr|ifr|ppr|rules?|airspace|customs|right|now|too|also|from|when|by|on|not|but)\b)",
            after,
            re.IGNORECASE,
        )
    )


def _from(text: str, mention: Mention) -> bool:
    return bool(re.search(r"\b(?:from|between)\s+$", text[: mention.start], re.IGNORECASE))
