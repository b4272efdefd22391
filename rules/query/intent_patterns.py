"""The words of a question become requests: for a rule, or for something out of a database. Pure.

A database knows airports, what they have, and the ways between them; the rules know what is allowed, required and usual.
A message is cut into clauses, and each clause is told by its words. Words that ask for a rule ("must", "allowed") weigh
more than facts that are only mentioned ("fuel"), and a wish to find something ("list airfields that…") more than both.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

Want = Literal["rules", "database"]


@dataclass(frozen=True, slots=True)
class Request:
    """A clause that wants something. `sure` is False where words of both kinds stand in it, or only a topic;
    `finds` is what asks, beside a rule, for airports that it holds for: a database's half of the clause."""

    wants: Want
    sure: bool
    because: str
    clause: str = ""
    finds: str = ""


_PLACE: Final = re.compile(r"(?<!@)@(?![@\]])")  # but in a set of letters


def _any(*alternatives: str) -> re.Pattern[str]:
    """One of these, at the beginning of a word. "@" is any place, "@@" an airport alone."""
    told = "|".join(_PLACE.sub("@@?", one) for one in alternatives)
    return re.compile(rf"(?:(?<!\w)(?=[\w@]))(?:{told})")


_FIELD: Final = (
    r"(?:air ?ports?|airfields?|aerodromes?|airstrips?|strips?|landing sites?|fields?|(?:fuel|lunch|tech|coffee) stops?"
    r"|alternates?|diversions?|destinations?|heliports?|altiports?|seaplane bases?|points? of entry|ports? of entry)\b"
)
_FEW: Final = r"(?: (?!what\b|how\b|whether\b|if\b|out\b|the rules?\b|rules?\b|ppr\b(?! (?:air|field|strip|aero))|differences?\b|requirements?\b|permissions?\b|procedures?\b)[-\w'@]+){0,5}?"
_LOOK_FOR: Final = (
    r"(?:find|search|searching|list|identify|show|give|suggest|recommend|looking for|look for|locate|pick|name|display|plot"
    r"|i(?:'d| would)? (?:want|need|like) (?:an?|some|the|to find|to see)|i'm after|propose)"
)
_NO_NOUN: Final = r"(?:rules?|ppr|requirements?|permissions?|customs|procedures?|languages?|for|do|does|is|are|can|what|must|may|if|at|how)\b"
FINDS: Final = _any(
    rf"{_LOOK_FOR}{_FEW} {_FIELD}(?! (?:require|rules?|procedures?|information|radio|service))",
    r"(?:show|give|tell|find|get) (?:me |us )?(?:a |an |the |some )?(?:\w+ )?(?:route|fuel|avgas|hotel|restaurant|metar|taf)"
    r"(?! (?:rules?|services?|from|briefing|report))",
    rf"(?:which|what|how many|are there|is there)(?: (?:any|an?|some|the|of|many))?(?: (?!class|type|kind|about\b|near\b|around\b|at\b|in\b|on\b|for\b|to\b|rules?\b|limits?\b)[-\w'@]+){{0,3}}? {_FIELD}"
    r"(?! (?:require|permission|procedures?|rules?|service|information|radio|requirements|(?:do|must|should) (?:i|we|you) fill))",
    r"(?:how'?s|how is|what'?s|what is) the weather\b|the (?:\w+ )?ones (?:with|that have|near)\b|^(?:any |only |and |the )*ones (?:with|that have|near)\b",
    r"(?:near me|nearby|close by|around here|in the vicinity|closer to|nearer)\b",
    rf"(?:near|clos|cheap|long|short|high|low|bigg|larg|quick|fast)est (?:[-\w@]+ ){{0,3}}?(?:{_FIELD}|runways?|flight\b|leg\b|hop\b|route\b|fuel\b|avgas|restaurant|hotel|cafe|place|landing|petrol|beach|parking|to @|to [a-z]+\W*$|way (?:from|to @|between|there))",
    rf"(?:best|nice|nicest|good|great|ideal|quiet) (?:[-\w@]+ ){{0,2}}?(?:{_FIELD}|places? (?:to|for)|island|stops?)",
    r"(?:have|has|got|is there|are there|offers?) (?:any )?customs(?= (?:at|on|facilit\w+|available|there|office|service)|\W*$)",
    r"(?:places?|somewhere|anywhere) to (?:sleep|eat|stay|stop|land|refuel|park|camp)\b",
    rf"^any{_FEW} {_FIELD}|anyone know{_FEW} {_FIELD}",
    r"how much (?:fuel|time|avgas)\b(?! reserves?)|how (?:do|can|would|could) (?:i|we) get (?:from|to) @",
    r"(?:route|routing|track) (?:from|between|to) |way (?:from|between|to @)|(?:which|what) way (?:should|do|would|can) (?:i|we) fly",
    r"(?:route|routing) @|@ (?:route|routing|direct)\b|best route|great circle|midpoint|half-?way (?:between|point)|waypoints?\b",
    r"plan (?:me |us )?(?:a|an|my|the|our)(?: [-\w]+){0,3} (?:trip|route|flight|tour|journey|leg|holiday|weekend)\b",
    r"along (?:the|my) (?:route|way)\b",
    r"find (?:me |us )?(?:an?|some|somewhere|any)\b(?! (?:\w+ )?(?:rules?|regulations?|way|answer|law|procedure|requirement))",
    r"where (?:can|could|should|do|would|might) (?:i|we|you|one) (?:\w+ )?(?:get (?!(?:the |a |my |local |good )?(?:weather|clearance|permission|ppr|information|info|briefing|approval|notam))|(?:fly|go) (?:for|to eat|to get|with|near|around)|buy|find|refuel|stop|eat|sleep|park|fill|stay|rent|have|grab|overnight)",
    rf"where(?: [-\w@]+){{0,4}} can (?:i|we) (?:land|stop|go)\b|where(?:'s| is| are)(?: [-\w]+){{0,4}} (?:{_FIELD}|fuel|avgas|restaurant)",
    r"where (?:can|could|should) (?:i|we) (?:leave|keep|store|base|tie) (?:down )?(?:my|our|the|an?) (?:plane|aircraft|aeroplane|airplane)\b",
    rf"which (?:of )?(?:the |these |those |them )?(?:{_FIELD}|ones?) (?:has|have|sells?|offers?)\b|which (?:one )?is (?:open|nearest|closest|cheapest|closer)\b",
    rf"^(?:the |any |all |some )?(?:(?!{_NO_NOUN}|\w+ing\b)[-\w@]+ ){{0,3}}{_FIELD}(?: in @| near [-\w@]+| on [-\w@]+)? (?:with|without|that|which|where|having|offering|selling|near|between|along|within|around|open(?! (?:to|for) (?:civil|visit|private|foreign|the public|us\b|gliders)))\b(?! @)",
    rf"{_FIELD} (?:near|around|between|along|close to|on the way|within) ",
    r"alternates? (?:for|near|between|to)\b",
    r"(?:hotels?|restaurants?|cafes?|maintenance|hangar\w*|camping|fuel|avgas) (?:near|close|around|at|in|between|on the way)\b",
)
FACTS: Final = _any(
    r"customs (?:open|hours|available|on the field|on site)\b|(?:manned|staffed|attended) (?:on|at the|today|now|this|all)\b",
    r"(?:weather|wx|notams?) @@|is @@ (?:\w+ )?busy|will (?:it|there be) (?:\w+ )?(?:rain|snow|fog|storm|thunder|wind)\w*|(?:hire|rent|borrow) an? (?:car|bike|bicycle)\b",
    r"where (?:exactly )?(?:is|are) @|(?:what|which) (?:instrument )?approaches (?:does|do|has|are there)",
    r"what(?:'s| is) the (?:\w+ )?(?:distance|flight time|bearing)\W*$|closures? (?:of|at|times?)\b|freezing level|winds? aloft|thunderstorms?\b|(?:the|phone|contact|telephone) number (?:to (?:ring|call|phone|dial)|for|of|at)\b",
    r"(?:what|which)(?:'s| is| are) (?:the|their|its|your) (?:\w+ )?frequenc(?:y|ies)\b",
    r"within (?:about |roughly )?\d+ ?(?:nm|nautical|miles|mi|km|minutes|min|hours?|h)\b(?! (?:of|before|after) (?:land|arriv|depart|take))",
    r"(?:when|what time)[^.?!]{0,20}\bsun ?(?:set|rise)|sun ?(?:set|rise)s? (?:at|in|on|time|today|tomorrow|for)\b|time of sun|(?:foggy|raining|rainy|windy|snowing|sunny|cloudy) (?:in|at|there|now)",
    r"is (?:the )?@(?:'s)? (?:[-\w]+ )?(?:paved|grass|tarmac|asphalt|hard|controlled|towered|h24|suitable|a controlled|an? (?:grass|military|public))\b|paved\b|tarmac\b",
    r"(?:(?:does|do)\b[^.?!]{0,30}\b(?:have|got|offer)|has|is there|are there)\b[^.?!]{0,20}\b(?:control tower|tower|fbo|atc|afis|de-?icing|gpu|oxygen|webcam|ils|flying club|flight school|simulator)\b[^.?!]{0,6}(?:at @|in @)?[^\w]*$",
    r"(?:circuit|pattern) (?:height|altitude) (?:at|of|for) @@|(?:time ?zone|magnetic variation|crosswind|headwind|density altitude|fuel burn|public transport|train station|shuttle bus|how busy)\b|(?:facilit(?:y|ies)|amenities) (?:at|does|are|of|on)|(?:which|what) services (?:at|does|are (?:at|available at)) @|(?:handling agents?|handlers?|fbos?|webcams?|de-?icing|crew car|contact details)\b",
    r"(?:icao|iata|airport) codes? (?:does|of|for|has|is)|who (?:operates|owns|runs|manages) (?:the )?@|suitable for|bearing (?:from|to)|heading (?:from|between)",
    r"(?:flying|flight) hours (?:from|to|between)|@ to @,? (?:\w+ )?(?:nautical|miles|nm|km|distance|time)|nautical miles (?:from|between|to|is)|@ (?:ils|webcam|fbo|ops|runways?)\b",
    r"(?:show|give me|list) everything (?:about|for|on) @@\W*$|(?:number|length|width|orientation|position|location) of (?:the )?(?:runways?|@)|runway (?:orientation|layout)",
    r"(?:that|which) can take (?:an? )?\w+|where is @|what(?:'s| is) near",
    r"(?<!what )(?:distance|miles|flight time|flying time|time en ?route) (?:from|between|to|for|@|in)(?! (?:cloud|the cloud))",
    r"how far (?:is|are|away|apart|from @|between|to)\b(?! (?:from )?(?:an?|the) (?:air|field|dest))",
    r"how many (?:nm|miles|nautical|km|kilomet\w+|minutes|hours) (?:is|are|from|between|to|does|would|will|away)",
    r"how long (?:does it take(?! to (?:file|close|process|approve|receive|be|obtain|get (?!from|to|there)))|is the (?:flight|leg)|is (?:it|@) (?:from|to)|would it take|will it take|to (?:fly|get))",
    r"how (?:wide|high|long|tall|big) (?:is|are) (?:the )?(?:runway|@)|in (?:miles|nm|km|nautical miles)\b",
    r"runways?['s]* (?:length|surface|width|directions?|headings?|numbers?|identifiers?|lights?|longer|shorter|dimensions?|condition)",
    r"(?:long|wide|length|surface|width|direction)\b[^.?!]{0,25} runways?\b",
    r"(?:what|which|how many) runways?\b",
    r"(?:hard|paved|grass|asphalt|tarmac|concrete|sealed) (?:runways?|surface)",
    r"(?:avgas|100 ?ll|mogas|ul ?91|jet ?a-?1|jet fuel|fuel(?! reserves?)|kerosene)\b",
    r"(?:opening|operating|business) (?:hours|times)|hours of (?:operation|opening)|(?:^|what |the )hours (?:of|at|for) @|@ hours\b",
    r"open(?:s|ed)? (?:on(?! request)|at|today|tonight|tomorrow|now|after|late|until|till|24|this|all|in the|for|h24|sundays?|saturdays?|before)",
    r"(?:closed|shut|closing) (?:on|today|tonight|tomorrow|now|for lunch|at night|time)",
    r"(?:when|what time|until when|how late) (?:does|do|is|are|can) [^.?!]{0,20}\b(?:open|close|shut|opened)\b(?! (?:the|my|a) (?:flight )?plan)",
    r"is @ (?:open|closed|shut)\b|is (?:it|the (?:tower|airport|airfield|field|place)) (?:open|closed|shut)\b(?! (?:at|by|for|to|after|automatically|upon|when))",
    r"(?:landing|parking|handling|approach|navigation) (?:fees?|charges?|costs?|prices?)|fees?\b|what does [^.?!]{0,30}\bcosts?\b",
    r"(?:how much|what) (?:is|does|do|are|for|would) (?:it cost|@ charge|the (?:fee|charge|price)|a landing|landing|parking)|how much (?:to|for|does|is)\b",
    r"(?:prices?|cheap(?:er)?|expensive)\b",
    r"(?:metar|taf|atis|qnh|forecast|sigmet)\b|(?:show|any|current|latest|today's) notams?\b|notams? (?:for|at|today|now)\b",
    r"weather (?:now|right now|today|tomorrow|tonight|there|like|doing|this)\b|weather (?:at|for|in) @@|@@ weather\b|what'?s the weather|how'?s the weather",
    r"current (?:weather|wind|conditions|metar)|(?:wind|visibility|ceiling|cloud ?base|temperature) (?:at|in|now|right now|today|there)\b",
    r"(?:restaurants?|cafes?|hotels?|hangars?|hangarage|campsites?|camping|car hire|rental|taxi (?:rank|service)|maintenance|mechanic|toilets?|wifi)\b",
    r"(?:elevation|coordinates|latitude|longitude|iata|postcode)\b",
    r"(?:(?:tele)?phone(?: number)?|e-?mail|website|address) (?:of|for|at) (?:\w+ ){0,2}@|@ (?:\w+ )?(?:tele)?phone\b",
    r"(?:tower|ground|approach|info|radio|atis) frequency|frequenc(?:y|ies) (?:of|for|at|in|does) |(?:what|which) frequenc(?:y|ies)(?: is| are| does)? @",
    r"@ (?:tower |ground |info |approach )?frequenc",
    r"details (?:for|of|about|on)\b|information (?:about|on) (?:airport )?@|tell me about (?:the )?(?:airport|airfield) ?@|chart (?:for|of)\b|airport info",
    r"(?:has|have|is there|are there|offers?|got|provides?) (?:[-\w]+ ){0,3}(?:ils|instrument approach\w*|rnp|rnav|vor|papi|customs|parking|handling|a tower|lights|lighting|ifr (?:approach(?:es)?|procedures?))\b",
    r"(?:does|do|has|have) [^.?!]{0,30}\b(?:an?|any) (?:ils|tower|instrument approach|rnp|rnav approach)\b",
    r"(?:an?|port|point|airport|airports|ports|points) of entry\b",
    r"(?:how many|number of) (?:air|field|strip)|^@@ (?:details|info|information|data|overview|chart)(?: please)?$|@ (?:details|overview|charts?)\b|tell me about (?:the )?(?:\w+ )?@@|runways? (?:at|of|in) @@|h24\b|24/7|how long (?:at|with) \d",
)
ASKS: Final = _any(
    r"(?:tax|duty|vat|excise|reserves?|answers?)\b|(?:positions?|views?|stance|opinions?) (?:on|about|of)\b|(?:may|must) not\b|"
    r"(?:know|wonder\w*|asking|unsure|sure|tell me|find out|check) (?:if|whether) (?:i|we|you|one) (?:can|may|could|should|must|might|need|am)\b|"
    r"how (?:high|low|close|near) (?:over|above|to|must|may|do|can|should|am)\b|(?:minimum|lowest|least|maximum|highest) (?:height|altitude|level|visibility|distance|age)\b|"
    r"(?:speed|height|altitude|weight|noise|age|time) (?:limits?|restrictions?)\b|(?:rules?|regulations?|regs|laws?|legal(?:ly)?|illegal|polic(?:y|ies))\b",
    r"(?:allow(?:ed|s)?|permit(?:ted|s)?|permissible|forbidden|off limits|banned|authori[sz]ed|entitled)\b",
    r"(?:may|might) (?:i|we|you|one|a|an|the|civil\w*|vfr|ifr|foreign\w*|visiting|pilots?|they|he|she|@)\b",
    r"(?:ok|okay|alright|fine|acceptable|possible|normal) (?:to|for|if|that)\b|is (?:it|that|this) (?:ok|okay|legal|allowed|fine|possible|normal|alright)\b",
    r"(?:can|could) (?:i|we|you|one|pilots?|vfr|ifr|civil\w*|foreign\w*|visitors?|a|an|@|fis|they|private|gliders?) (?:actually |just |really |simply |legally |still |then |also |\w+ )?"
    r"(?:fly|land|enter|use|file|cross|go|get (?:away|in|into|a clear\w*|clear\w*|permission)|transit|be|do|turn|speak|talk|depart|arrive|take|taxi|join|cancel|rely|skip|switch|climb"
    r"|descend|penetrate|overfly|operate|start|leave|ignore|wing|drop|grant|give|clear|close|request|expect|assume|call|ask|accept|squawk|proceed|pass|come|carry|continue|pop|nip|dive|fly|e-?mail|phone|ring|apply|obtain|submit|send|pay|stop|bring|carry|import|keep|hold|orbit|practi[cs]e|try|make|change|amend|divert|show up|taxi)\b",
    r"(?:require[ds]?|requirements?|requiring|mandatory|compulsory|obligatory|obliged|obligations?|necessary|needed|must|ought to)\b",
    r"(?:have|has|had|got|need|needs|supposed|expected|gotta|gonna) to\b|gotta\b",
    r"(?:do|does|did|will|would) (?:i|we|you|they|one|it|airfields?|airports?|pilots?|[-\w@]+(?: [-\w@]+){0,6}) (?:really |actually |still |also |always |ever )?(?:need|require|have to|mind|accept|insist|enforce|care|want|demand|expect)\b",
    r"needs? (?:a|an|any|my|permission|ppr|prior|clearance|customs|handling|fpl|flight)\b|(?:should|shall) (?:i|we|you|one|a|pilots?)\b|due\b",
    r"(?:without|with no|lacking|no) (?:a |an |any |my )?(?:permission|ppr|clearance|flight plan|fpl|plan|radio|transponder|prior|notice|contact|talking|asking|filing|calling)",
    r"(?:usual(?:ly)?|norms?|common(?:ly)?|practices?|practical|etiquette|attitudes?|strict(?:ly|er|est)?|enforced?|abid\w+|generally|normally|typical(?:ly)?|preferred"
    r"|customary|picky|relaxed|obey|respected|unusual|odd|weird|gotchas?|quirks?|stick to|adhere\w*|comply|tolerated)\b",
    r"(?:who|whom) (?:closes?|may|can|terminates?|grants?|do i|do you|is allowed|decides?|cancels?|has to|shuts?|must|should|is permitted|gives?|clears?|does one|to|tells?|informs?|lets)\b",
    r"what (?:happens|do i (?:need|say|tell|do|squawk|have|declare|report)|applies|apply|else|if|about|are the (?:norms|procedures)|is (?:the (?:procedure|norm|difference|default)|expected|different|unusual|allowed|accepted))\b",
    r"how (?:do|does|is|are|should|would|can|will|strictly|early|far out|strict) (?:i|we|you|one|a|an|the|it|they|them|folks?|people|pilots?|fpls?|plans?|ifr|vfr|@|[-\w]+)\b",
    r"how (?:long|much time|much notice|far|early|many minutes|many hours) (?:before|ahead|in advance|notice|out|beforehand|from (?:an?|the) (?:air|field|dest|zone))",
    r"(?:local |national |official |preferred )*(?:weather|met) (?:services?|sources?|providers?)\b|civil(?:ian)? (?:use|traffic)\b",
    r"open (?:to|for) (?:civil\w*|visitors|private|foreign\w*)\b",
    r"(?:which|what|any) (?:@ )?(?:apps?|websites?|sites?|tools?|software|weather (?:services?|sites?|apps?)|devices?|fields? (?:do|must|should) (?:i|we|you) fill)\b|(?:do|does|did) (?:i|we|you|they|one|pilots?) (?:just |really |simply |then |still |also )?(?:call|file|say|tell|squawk|use|close|contact|report|speak|talk|set|fly|join|land|cross|enter|keep|ask|wait|inform|book|apply|clear|notify|announce|go)\b|differences?\b|why\b|am i (?:to|allowed|required|obliged|free)\b|is (?:it|that) so that\b|listening squawks?\b",
    r"compare (?:how|whether|if|what)\b|customs (?:requirements?|procedures?|clearance|formalities|notice|notification)|clear customs\b|notify\b",
)
# A rule by which airports are chosen: "which airfields need PPR", "airports open to civilians".
CHOSEN_BY_RULE: Final = _any(
    r"(?:needs?|needed|requir\w+|want|wants|demand\w*|mandatory|compulsory|obligatory|necessary|without|accept\w*|ask for|insist on)"
    r"(?: (?!avgas|fuel|fees?|slots?)[-\w]+){0,3}? (?:ppr|prior|permission|flight ?plans?|fpls?|clearance|transponders?|radio|notice)\b",
    r"(?:ppr|prior permission|permission|flight ?plans?|fpls?|clearance|transponders?|notice) (?:is |are |to be )?(?:\w+ )?(?:needed|required|mandatory|compulsory|obligatory|necessary)\b",
    r"(?:arriv\w+|coming|flying|enter\w*|inbound)(?: in| from| as)? (?:outside (?:of )?)?(?:the )?(?:non-? ?)?schengen\b|non-? ?schengen\b",
    r"open (?:to|for) (?:civil\w*|visitors|private|foreign\w*)\b|civil(?:ian)? (?:use|traffic|aircraft)\b",
)
_ASKS_FOR_A_LIST: Final = re.compile(rf"(?:{_LOOK_FOR}|which|what)\b")
_IN_GENERAL: Final = re.compile(r"\b(?:as a rule|usually|normally|generally|in general)\b")
# These ask for what stands beside them, of whichever kind it is; alone they are about rules.
EITHER: Final = _any(
    r"compar\w+|differ\w*|versus\b|vs\b|stricter\b|contrast\b",
    r"(?:tell|explain|describe)(?: \w+){0,3} (?:about|how|whether|if|what|who|everything|the)\b",
)
TOPICS: Final = _any(
    r"(?:permissions?|ppr|prior (?:permission|notice)|clearances?|cleared|approval|notice)\b",
    r"(?:flight ?plans?|flightplans?|fpls?|autorouter|gen ?decs?|gar form|overfl\w+|ifps)\b",
    r"(?:transponders?|squawks?|squawking|mode s|mode c|elt|plb|ads-?b|flarm|conspicuity|radio|8\.33|life ?(?:jackets?|rafts?))\b",
    r"(?:fis|afis|flight information|air ?(?:field|traffic) (?:information|radio|service|control)|atc|atsu|information service|(?:initial|first) call|call sign)\b",
    r"(?:class [a-g]\b|airspace|(?:danger|restricted|prohibited|military|parachute|gliding|drop) (?:areas?|zones?|fields?|airfields?|airspace|sites?|airports?|aerodromes?|launch)|gliders?|glider"
    r"|gliding|parachut\w+|penetrat\w+|control zones?|ctrs?|tmas?|rmz|tmz|matz|atz|fir|low flying)\b",
    r"(?:vfr|ifr|svfr|vmc|imc|semi-?circ\w+|quadrantal|cruising levels?|circuit|traffic pattern|pattern|overhead join|cloud ?break|straight-?in|join(?:ed|s|ing)?|downwind|uncontrolled|unmanned|minima)\b",
    r"(?:schengen|crossing|border|immigration|customs|passport|international flights?|cross(?:ing)? (?:the|into|from))\b",
    r"(?:english|local language|languages?|speak|spoken|phraseology|phrases)\b",
    r"(?:procedures?|slots?|handling|night|sera|easa|aip|licen[cs]es?)\b",
)

_CUT: Final = re.compile(
    r"[.?!;:](?=\s|$)|\s[-–—]\s|(?!(?<=@) and @(?!@)),?\s+\b(?:and|plus|also|then|but|while|as well as|together with|along with)\b(?:\s+(?:also|then|please))?\s+|,\s+|\s[&+]\s|\n"
)
# How a clause begins that wants something itself; others only say more about the one before.
_BEGINS: Final = re.compile(
    r"^(?:ok |okay |please |also |then |so |can you |could you |would you |i(?:'d| would) like to know |i want to know |just )*"
    r"(?:do|does|did|is|are|am|was|can|could|may|must|should|shall|will|would|has|have|what|which|who|whom|whose|how|when|where|why|whether|if|tell"
    r"|explain|say|state|outline|clarify|indicate|describe|compare|list|show|find|give|search|look|suggest|recommend|plan|what's|where's|who's|how's|name|remind|check|summari[sz]e"
    r"|let me know|i need|i must|any|under which|at what|in what|on what|by when|for what|to what|with what|nearest|closest|route|distance)\b"
)
_WAVED_OFF: Final = re.compile(
    r"\b(?:forget|never ?mind|skip|ignore|leave out|leave aside|drop|don't care about|not interested in|leave (?:the|any|all))\b"
)
_NOT_WANTED: Final = re.compile(
    rf"{_WAVED_OFF.pattern}|\b(?:not|no|without|rather than|instead of|apart from)\b(?: (?!only\b|just\b)\w+){{0,3}} |\b(?:don't|didn't|do not|did not) (?:need|want|ask|mean|show"
    r"|list|find|give|look|search)\b"
)
_THING: Final = re.compile(
    r"(?:avgas|100 ?ll|mogas|ul ?91|jet ?a-?1|jet fuel|fuel|kerosene|fees?|prices?|cheap(?:er)?|expensive|restaurants?|cafes?|hotels?|hangars?"
    r"|hangarage|campsites?|camping|car hire|rental|maintenance|mechanic|toilets?|wifi|forecast|paved|tarmac)"
)
_HAD_SOMEWHERE: Final = re.compile(
    r"@|\b(?:where|near|any|sells?|buy|get|available|availability|prices?|costs?|cheap\w*|have|has|got|is there|are there|which|how much|stops?|at|in)\b"
)
_ORDER: Final = re.compile(
    r"^(?:please |can you |could you |would you |will you |just |now |kindly |go and |i want you to )*"
    r"((?:book|order|reserve|call (?:the|my|a)|ring|send|e-?mail|pay|file|submit|close|cancel|activate|register|buy|remind|translate|print|write|delete"
    r"|schedule|arrange|hire|rent|sign|pretend|act|repeat|ignore (?:all|your|previous|the))\b)(?! (?:an? |my |the )?(?:flight )?(?:fpl|plan)\b[^.?!]*\?)"
)
_NAMED_RULES: Final = re.compile(
    r"\b(?:rules?|regulations?|requirements?|(?<!instrument )(?<!approach )(?<!ifr )procedures?|restrictions|formalities|conditions|law)\b"
    r"|\b(?:i|we|you|one|they|it) (?:must|needs?|ha(?:ve|s) to|may|requires?)\b"
)


# A statement: somebody or something is, has, says or does something. What follows asks.
_STATES: Final = re.compile(
    r"^(?:(?!(?:that|which|who|whose|where|with|what|how|when|why|whether|if)\b)[-\w'@]+ ){1,8}?"
    r"(?:is|are|was|were|has|have|had|says?|said|shows?|closes?|closed|opens?|gives?|gave|seems?|looks?|means?|sells?|went|will"
    r"|isn't|aren't|doesn't|don't|can't|cannot|won't)\b"
)
# How a clause begins that only says under which circumstances something else is asked.
_WISH: Final = r"'d like| would like| need| require| want (?:an?|some|the|to (?:find|see|know))| wanna| search|(?:'m| am|'re| are) (?:looking for|searching|after)"
_CIRCUMSTANCE: Final = re.compile(
    r"^(?:(?:even|also|only|especially|particularly|for example|such as) )?(?:if|as (?!well)|when (?!does|do |is |are |will|can|did|must|should|may)|while|after|before|since|because|once|unless|until|although|given|inbound|outbound"
    r"|within|at|in|on|near|from|for|with|without|under|over|outside|during|this|it'?s|there'?s|my|our|he|she|they"
    r"|(?!opening|closing|operating|landing f|landing c|parking|handling|lighting|camping|looking|searching|finding|nothing|anything|something)\w+ing"
    rf"|(?:i|we)(?!{_WISH}))\b"
)


_ASKS_ITSELF: Final = re.compile(
    r"^(?:do|does|did|is|are|am|can|could|may|must|should|shall|what|which|who|whom|how|when|where|why)\b"
)
_ROUTE_NAMED: Final = re.compile(r"^(?:a |the |my )?(?:route|routing|track|flight|trip|leg|plan)\b(?! time)")


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a text that may want something; `opens` is True where a sentence begins with it, `goes_on` where "and"
    follows it, `joined` where "and" stands before it, `leads` where a colon ends what it belongs to."""

    text: str
    opens: bool
    goes_on: bool = False
    joined: bool = False
    leads: bool = False


_LEADS: Final = re.compile(r"[^.?!;:]*:")
_AND: Final = re.compile(r"\b(?:and|plus|also)\b|[&+]")
# A question that has no verb yet: "do hard runways", of "and grass runways have other rules?".
_UNFINISHED: Final = re.compile(
    r"^(?:do|does|did|is|are|was|were|have|has|can|may|must|should|will)(?: (?:the|an?|any|both|all))?(?: [-\w@]+){1,2}$"
)


def clauses_of(text: str) -> Iterator[Clause]:
    plain, opens, joined, end = " ".join(text.lower().replace("’", "'").split()), True, False, 0
    for cut in [*_CUT.finditer(plain), None]:
        part = plain[end : cut.start() if cut else None].strip(" ,.?!;:-–—\"'()")
        if cut and _AND.search(cut[0]) and _is_unfinished(part):
            continue
        if part:
            goes_on = bool(cut and _AND.search(cut[0]))
            yield Clause(part, opens, goes_on, joined, bool(cut and _LEADS.match(plain, cut.start())))
            joined = goes_on
        if cut:
            opens, end = bool(re.match(r"[.?!;:\n]", cut[0])) or (opens and not part), cut.end()


def begins_a_question(clause: str) -> bool:
    """Whether a clause asks, or tells to say, something itself, rather than more about the one before."""
    return bool(_BEGINS.match(clause)) and not clause.startswith("if ")


def _is_unfinished(part: str) -> bool:
    return bool(_UNFINISHED.match(part)) and not ASKS.search(part) and not TOPICS.search(part)


def request_of(clause: str) -> Request | None:
    """What one clause wants; None where it wants nothing by itself."""
    finds, facts, asks = FINDS.search(clause), FACTS.search(clause), ASKS.search(clause)
    topic = TOPICS.search(clause)
    rule = CHOSEN_BY_RULE.search(clause)
    if finds and rule and rule.end() > finds.end() and _asks_for_a_list(finds[0], clause):
        return Request("rules", True, rule[0], finds=finds[0])
    if finds and asks:
        first = finds if finds.start() <= asks.start() else asks
        return Request("database" if first is finds else "rules", False, first[0])
    if finds:
        return Request("database", True, finds[0])
    if asks:
        return Request("rules", not facts, asks[0])
    if facts:
        return Request("database", not topic and not _is_only_named(facts[0], clause), facts[0])
    either = EITHER.search(clause)
    if either:
        return Request("rules", True, either[0])
    return Request("rules", False, topic[0]) if topic else None


def _asks_for_a_list(finds: str, clause: str) -> bool:
    """ "Are there airfields where no PPR is needed?" asks whether it may be so, not for their names."""
    return bool(_ASKS_FOR_A_LIST.match(finds)) and not _IN_GENERAL.search(clause)


# A thing with an airport's name behind it, and nothing else: "curfew at EBBR", "fire category LFMD".
_THING_OF_AIRPORT: Final = re.compile(
    r"^((?:(?!\w+ing\b|to\b|from\b|via\b)[-\w]+ ){1,4}?)(?:(?:at|of|for|in) )?@@(?: please)?$"
)


def _is_only_named(fact: str, clause: str) -> bool:
    """Whether a thing that airports have is named without one, and without asking where it is to be had."""
    return bool(_THING.fullmatch(fact)) and not _HAD_SOMEWHERE.search(clause)


def requests_in(text: str) -> tuple[Request, ...]:
    """What a message wants, clause by clause. `text` has "@" for each place, "@@" for an airport. What is only a circumstance of another
    request, or says more about the one before, wants nothing itself."""
    clauses, orders = _without_orders(tuple(clauses_of(text)))
    found = [(clause, request) for clause in clauses if (request := request_of(clause.text))]
    if not found and len(clauses) == 1:
        return _thing_of_airport(clauses[0].text) or orders
    asked = [(clause, request) for clause, request in found if not _is_circumstance(clause, request)]
    asked = asked or _open_questions(clauses, found) or found
    if len({request.wants for _, request in asked}) == 2:
        asked = [one for one in asked if not _is_waved_off(*one)] or asked
    if any(request.wants == "rules" for _, request in asked):
        asked = [one for one in asked if one[1].wants == "rules" or not _is_mere_thing(*one)]
    kept: list[Request] = []
    for clause, request in asked:
        if not kept or request.wants == kept[-1].wants or _stands_alone(clause, request):
            kept += _halves(replace(request, clause=clause.text))
    return tuple(kept) or orders


def _halves(request: Request) -> tuple[Request, ...]:
    """What one clause wants of either kind: of "which airfields need PPR" a list, and the rule."""
    if not request.finds:
        return (request,)
    return (replace(request, finds=""), replace(request, wants="database", because=request.finds, finds=""))


def _open_questions(
    clauses: Sequence[Clause], found: Sequence[tuple[Clause, Request]]
) -> list[tuple[Clause, Request]]:
    """Questions of which no word tells what they want, beside circumstances alone: mostly for a rule."""
    told = {clause for clause, _ in found}
    rest = [clause for clause in clauses if clause not in told and _ASKS_ITSELF.match(clause.text)]
    return [(clause, Request("rules", False, clause.text.split()[0])) for clause in rest]


def _thing_of_airport(clause: str) -> tuple[Request, ...]:
    thing = _THING_OF_AIRPORT.match(clause)
    if thing is None or is_elliptic(thing[1]):
        return ()
    return (Request("database", False, thing[1].strip(), clause),)


def _without_orders(clauses: Sequence[Clause]) -> tuple[list[Clause], tuple[Request, ...]]:
    """The clauses that are no orders to do something, which this desk cannot, and what such an order counts for: it
    asks no database. A clause that only goes on with an order goes with it."""
    kept: list[Clause] = []
    orders: list[Request] = []
    ordered = False
    for clause in clauses:
        verb = _ORDER.match(clause.text)
        ordered = bool(verb) or (ordered and not clause.opens and not _BEGINS.match(clause.text))
        if verb:
            orders.append(Request("rules", True, verb[1], clause.text))
        elif not ordered:
            kept.append(clause)
    return kept, tuple(orders[:1])


def _is_waved_off(clause: Clause, request: Request) -> bool:
    """ "Not looking for airports, just the rules": what is asked for beside it is all that is wanted."""
    before = clause.text[: clause.text.find(request.because) + len(request.because)]
    waved = _WAVED_OFF if request.wants == "rules" else _NOT_WANTED
    return bool(waved.search(before))


def _is_mere_thing(clause: Clause, request: Request) -> bool:
    """Beside a question about rules, a thing that is only named is no question of its own: "and for fuel"."""
    return not request.sure and bool(_THING.fullmatch(request.because)) and not clause.opens


def _is_circumstance(clause: Clause, request: Request) -> bool:
    if request.wants != "database":
        return False
    if (clause.leads or _STATES.match(clause.text)) and not _BEGINS.match(clause.text):
        return True
    return bool(_CIRCUMSTANCE.match(clause.text) or (_ROUTE_NAMED.match(clause.text) and not clause.goes_on))


def _stands_alone(clause: Clause, request: Request) -> bool:
    if clause.opens:
        return True
    if request.wants == "database":
        named = "@@" in clause.text or FINDS.search(clause.text)
        return bool(_BEGINS.match(clause.text) or (clause.joined and named))
    return bool(_BEGINS.match(clause.text) or _NAMED_RULES.search(clause.text))


_GOING_ON: Final = """
    a about above actually add again ah all also an and another are as at both but can compare compared could do
    does else everything except excluding fine for from go good great hello hey hi how i if in include instead is
    it just leave let lets like mean meant my need no not now of oh ok okay on one ones only or other out over
    please plus question rather really right same say see should skip so some sorry still switch tell thank
    thanks that the them then there these they this those to too try us versus vs want we well what whats when
    where which who why with without would yeah yes you your drop forget remove bonjour
    """
_FILLER: Final = frozenset(_GOING_ON.split())


def is_elliptic(text: str) -> bool:
    """Whether a text says nothing but places and words that go on from something said before."""
    return all(word in _FILLER for word in re.findall(r"[a-z0-9'’]+", text))
