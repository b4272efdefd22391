"""What belongs to a country: "French", "the Dutch", "Swiss rules". Pure; no library that is kept has them.

Some of these words are languages, too ("speak French"), and a few are ordinary words ("polish"): `mentions` decides.
"""

from typing import Final


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


ADJECTIVES: Final[dict[str, str]] = {
    "albanian": "AL", "andorran": "AD", "armenian": "AM", "austrian": "AT", "azerbaijani": "AZ", "azeri": "AZ",
    "belarusian": "BY", "belgian": "BE", "bosnian": "BA", "british": "GB", "bulgarian": "BG", "croatian": "HR",
    "croat": "HR", "cypriot": "CY", "czech": "CZ", "danish": "DK", "dutch": "NL", "english": "GB", "estonian": "EE",
    "faroese": "FO", "finnish": "FI", "french": "FR", "georgian": "GE", "german": "DE", "gibraltarian": "GI",
    "greek": "GR", "greenlandic": "GL", "hellenic": "GR", "hungarian": "HU", "icelandic": "IS", "irish": "IE",
    "italian": "IT", "kosovan": "XK", "kosovar": "XK", "latvian": "LV", "liechtensteiner": "LI", "lithuanian": "LT",
    "luxembourgish": "LU", "luxembourgeois": "LU", "macedonian": "MK", "maltese": "MT", "manx": "IM",
    "moldovan": "MD", "monegasque": "MC", "montenegrin": "ME", "norwegian": "NO", "polish": "PL", "portuguese": "PT",
    "romanian": "RO", "russian": "RU", "sammarinese": "SM", "scottish": "GB", "scots": "GB", "serbian": "RS",
    "serb": "RS", "slovak": "SK", "slovakian": "SK", "slovene": "SI", "slovenian": "SI", "spanish": "ES",
    "swedish": "SE", "swiss": "CH", "turkish": "TR", "ukrainian": "UA", "welsh": "GB",
    "bavarian": "DE", "catalan": "ES", "corsican": "FR", "sicilian": "IT", "sardinian": "IT", "cretan": "GR",
    "afghan": "AF", "northern irish": "GB", "south african": "ZA", "south korean": "KR", "north macedonian": "MK",
    "emirati": "AE", "bosniak": "BA", "herzegovinian": "BA", "nepalese": "NP", "sri lankan": "LK",
    "costa rican": "CR", "dominican": "DO", "omani": "OM", "bahraini": "BH", "yemeni": "YE", "sudanese": "SD",
    "ghanaian": "GH", "senegalese": "SN", "mauritian": "MU", "mongolian": "MN", "uzbek": "UZ", "turkmen": "TM",
    "kyrgyz": "KG", "tajik": "TJ", "bangladeshi": "BD", "bolivian": "BO", "ecuadorian": "EC", "paraguayan": "PY",
    "uruguayan": "UY", "panamanian": "PA", "guatemalan": "GT", "jamaican": "JM", "haitian": "HT", "laotian": "LA",
    "cambodian": "KH", "burmese": "MM", "taiwanese": "TW", "palestinian": "PS", "angolan": "AO", "zambian": "ZM",
    "zimbabwean": "ZW", "ugandan": "UG", "tanzanian": "TZ", "rwandan": "RW", "mauritanian": "MR", "algerian": "DZ",
    "argentine": "AR", "argentinian": "AR", "australian": "AU", "brazilian": "BR",
    "canadian": "CA", "chilean": "CL", "chinese": "CN", "colombian": "CO", "cuban": "CU", "egyptian": "EG",
    "ethiopian": "ET", "indian": "IN", "indonesian": "ID", "iranian": "IR", "iraqi": "IQ", "israeli": "IL",
    "japanese": "JP", "jordanian": "JO", "kazakh": "KZ", "kenyan": "KE", "korean": "KR", "kuwaiti": "KW",
    "lebanese": "LB", "libyan": "LY", "malaysian": "MY", "mexican": "MX", "moroccan": "MA", "namibian": "NA",
    "nigerian": "NG", "pakistani": "PK", "peruvian": "PE", "philippine": "PH", "qatari": "QA", "saudi": "SA",
    "singaporean": "SG", "syrian": "SY", "thai": "TH", "tunisian": "TN", "venezuelan": "VE", "vietnamese": "VN",
}  # fmt: skip

# The people themselves, and what stands before a hyphen ("Franco-German").
# Only whole names of peoples stand here, and "poles" only with their article.
PEOPLES: Final[dict[str, str]] = {
    "albanians": "AL", "americans": "US", "austrians": "AT", "belgians": "BE", "brits": "GB", "britons": "GB",
    "bulgarians": "BG", "canadians": "CA", "croatians": "HR", "croats": "HR", "cypriots": "CY", "czechs": "CZ",
    "danes": "DK", "dutchmen": "NL", "englishmen": "GB", "estonians": "EE", "finns": "FI", "frenchmen": "FR",
    "germans": "DE", "greeks": "GR", "hungarians": "HU", "icelanders": "IS", "irishmen": "IE", "italians": "IT",
    "latvians": "LV", "lithuanians": "LT", "luxembourgers": "LU", "norwegians": "NO", "romanians": "RO",
    "russians": "RU", "serbs": "RS", "slovaks": "SK", "slovenes": "SI", "spaniards": "ES", "swedes": "SE",
    "swede": "SE", "dane": "DK", "finn": "FI", "turk": "TR", "spaniard": "ES", "brit": "GB",
    "scot": "GB", "frenchman": "FR", "dutchman": "NL", "englishman": "GB", "irishman": "IE", "icelander": "IS",
    "franco": "FR", "anglo": "GB", "italo": "IT", "luso": "PT", "hispano": "ES", "belgo": "BE",
    "the poles": "PL", "turks": "TR", "ukrainians": "UA", "moroccans": "MA", "israelis": "IL", "australians": "AU",
    "indians": "IN",
}  # fmt: skip

# Of these, those of a part of a country.
OF_PARTS: Final = frozenset(
    {
        "scottish", "scots", "scot", "welsh", "bavarian", "catalan", "corsican", "sicilian", "sardinian", "cretan",
        "northern irish",
    }
)  # fmt: skip

# Adjectives that are languages. English is one before anything else.
LANGUAGES: Final = _words(
    """
    albanian belarusian bosnian bulgarian catalan chinese croatian czech danish dutch english estonian faroese
    finnish french georgian german greek hungarian icelandic irish italian japanese korean latvian lithuanian
    luxembourgish macedonian maltese manx montenegrin norwegian polish portuguese romanian russian serbian
    slovak slovene slovenian spanish swedish thai turkish ukrainian vietnamese welsh
    """
)
