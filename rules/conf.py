"""The numbers of `rules`, each with its unit, its reason and its source. Pure.

What an operator may set stands in `configuration`, with the same kind of reason.
"""

HISTORY_MESSAGES = 5  # messages of a conversation that say which countries are meant (seed 003)
TOPIC_MESSAGES = 50  # messages after which what was asked is forgotten: a tour of all countries, and back
QUERY_LONGEST = 4000  # characters of a message that are read: two pages, more than any question about a rule
# characters that decide between rules and database: more cost seconds and add nothing
CLASSIFIED_LONGEST = 1500
COUNTRIES_MOST = 12  # countries of one turn: more columns than that nobody reads side by side

# --- Reading a file of rules --------------------------------------------------------------------------------

FILE_BYTES = 32 * 1024 * 1024  # the file of 58 questions by 19 countries has 0.6 MB
# of a workbook, unpacked: the same table as XML is a third larger than as JSON
SHEET_BYTES = 64 * 1024 * 1024
SHEET_PARTS = 2000  # files in a workbook; one with a sheet of text has about 12
SHEET_ROWS = 5000  # of 58 questions by 19 countries, with a row for each answer, there are 1,101
SHEET_COLUMNS = 300  # more than there are countries
ANSWER_LENGTH = 20_000  # characters of one answer; the longest that was seen has 1,134
QUESTION_LENGTH = 500  # characters of a question; the longest has 130
CATEGORY_LENGTH = 60  # characters
TAG_LENGTH = 60  # characters
LINK_LENGTH = 1000  # characters of an address
TAG_LIKENESS = 0.9  # of two spellings (difflib), from which one is a slip of the other: one letter in ten
JUNK_CATEGORIES = frozenset({"ignore"})  # what the file itself marks as no rule
KNOWN_TAGS = (
    "air traffic service",
    "airfield",
    "airspace",
    "clearance",
    "flight plan",
    "international",
    "join",
    "penetration",
    "permission",
    "prior permission",
    "procedure",
    "semicircle",
    "tools",
    "transponder",
    "uncontrolled",
)
# Codes that people write for a country and ISO 3166 does not.
USUAL_CODES = {"UK": "GB", "EL": "GR"}

# --- Comparing answers --------------------------------------------------------------------------------------
# Weights of what differs, in [0, 1]; that of yes against no stands in `statements.stance`. Set so that a contradiction
# comes before another figure, that before a limit, and all of them before other words alone.

OTHER_FIGURE_WEIGHT = 0.8  # both give a figure of one kind, and none is the same: 2 hours, 24 hours
PARTLY_OTHER_WEIGHT = 0.4  # some of the figures are the same
OTHER_SIDE_WEIGHT = 0.6  # one figure on another side of a limit or measured from elsewhere; left, and right
SILENT_LONGEST = 160  # characters; "no experience (…)" and its like have at most 97 in what is known
SIDES_READ = 400  # characters of an answer that is read for its sides
SIDES_TOLD = 3  # of these told in one reason
ONE_SIDED_WEIGHT = 0.2  # one answer alone gives a figure: more is said, nothing is contradicted
CONDITION_WEIGHT = 0.25  # one position, with a limit in one country alone: "no", "no unless TMZ"
NOT_APPLICABLE_WEIGHT = 0.5  # a rule in one country, none that could apply in the other
# of the distance of vectors: answers about one question that say other things are 0.4 to 0.9 apart
DISTANCE_SHARE = 0.6
# the same where position or figures agree: then other words are mostly only that
DISTANCE_SHARE_AGREED = 0.25
COMPARED_LIMIT = 100  # questions of one comparison: twice what is known
# share of an answer's words from which on marks of words say nothing, in answers of more than
MARKED_MOST = 0.7
MARKED_WHOLE = 6  # words: a short one is read at a glance, marked or not
QUOTE_SHOWN = 160  # characters of an answer, or of its limit, that are quoted in a reason: a sentence or two

# --- Finding ------------------------------------------------------------------------------------------------

FOUND_MOST = 50  # questions that a search may be asked for, as in the configuration
TELLING_WORD = 4  # letters; a single longer word that is no filler asks for something: "and alcohol?"
FORMAL_LENGTH = 400  # characters of a reformulation; 25 words have about 200
REFORMULATION_TOKENS = 200  # of a model's answer
REFORMULATION_TIMEOUT_S = 8.0  # seconds; a question is answered within three without the model's own time
# share of the cosine in the score; with the next two it found most of 425 paraphrases of our own
VECTOR_WEIGHT = 0.6
ASKED_WEIGHT = 0.2  # share of what was asked that the question says, words weighed by their rarity
SAID_WEIGHT = 0.2  # share of what the question says that was asked
# The configured threshold is of text-embedding-3-small, for which the desk was designed. Cosines of other models lie
# elsewhere: with 0.3 of this one 6 in 100 right questions are lost where no dictionary helps, with 0.18 below 1.
THRESHOLD_SCALE = {"all-MiniLM-L6-v2": 0.6}
RESCUE_SHARE = 0.5  # of the asked words, from which a question below the threshold is given all the same
RERANK_SHARE = (
    # of a wired reranker's opinion, both scaled to their range: of 0.1, 0.2, 0.35, 0.5 and 1 the one with which the
    # local late interaction puts a right question first most often, 96 of 100 paraphrases; alone it does 93
    0.5
)
KEYWORD_RERANK_SHARE = 0.1  # of the keyword reranker's opinion in the new order, as in the library's search
# a best score from it on is strong: 98 % of 400 right ones are, and 19 % of 240 that ask no rule
QUALITY_STRONG = 0.45
# below it nothing that was found speaks of the question: 62 % of those, and 1 right one in 400
QUALITY_NONE = 0.3

# --- Answering ----------------------------------------------------------------------------------------------

LINE_LENGTH = 700  # characters of one country's words in an answer; what is longer is read behind its number
SECTIONS_MOST = 3  # questions that make one answer; the rest are shown beside it
SECTION_SHARE = 0.75  # of the best score, from which a further question belongs to the answer
OVERVIEW_MOST = 5  # differences told where two countries are compared as a whole
PROMPT_TOKENS = 3000  # of a model's prompt, all told (seed 003)
TOKEN_MARGIN = 1.1  # a vendor's tokenizer makes up to a tenth more of the same text
ANSWER_TOKENS = 1500  # of a model's answer: 12 countries by 3 questions have about 1,000
ANSWER_TIMEOUT_S = 45.0  # seconds, the second try included
ANSWER_TRIES = 2  # a wording with faults is asked for once more, with the faults
STATEMENT_LENGTH = 600  # characters of one statement
STATEMENT_COVERAGE = 0.6  # least share of a statement's content words that its rules and their questions hold
CLAUSE_COVERAGE = 0.7  # the same of one clause's words beside the question's, by the clauses that say it so
LIMIT_KEPT = 0.5  # least share of the words of an exception that a statement keeps
SHORT_ANSWER = 25  # words of an answer of which each position is told: one sentence
CONTRARY = 0.8  # opposition of two positions from which one says the contrary
FAULTS_TOLD = 8  # faults of a wording that are told to whoever made it
QUESTION_IN_PROMPT = 1500  # characters of a question that a model is shown
RULE_IN_PROMPT = 1200  # characters of an answer that a model is shown; the longest has 1,134

EARTH_RADIUS_NM = 3440.065  # nautical miles: 6,371.009 km, the mean radius of WGS 84
AIRPORTS_NEAR = 5  # of the nearest airports that are told: a screenful with their names
AIRPORTS_LISTED = 20  # airports of one city or small country that are listed; London has nine

# --- Routing ------------------------------------------------------------------------------------------------

ROUTE_SURE = 0.95  # confidence of a decision that words alone settle: 0.99 of the development set's are right
ROUTE_UNSURE = 0.6  # the same where words are of two minds and nobody else can be asked
ROUTE_LEAN = 2.0  # log-odds that unsure words add to the classifier's: 0.95 of them alone are right
ROUTE_LEAN_NOTHING = 0.5  # the same where no word asks for anything: mostly about rules, or small talk
ROUTE_MESSAGE = 800  # characters of each message that a model reads: six of them are below 1,500 tokens
ROUTE_TOKENS = 200  # of a model's answer
ROUTE_TIMEOUT_S = 8.0  # seconds; a question is answered within three without the model's own time

# --- Pages --------------------------------------------------------------------------------------------------

CONVERSATIONS_SHOWN = 8  # of a user, the last ones: about what fits beside the map
