"""The numbers of `knowledge`, each with unit, reason and source. Pure: importing it starts nothing.

A number marked "seed 001" is the default of that design document; a better one needs a measurement beside it.
"""

# --- Ingestion: what a file may cost ------------------------------------------------------------------------

MAX_FILE_BYTES = 200 * 1024 * 1024  # an FAA handbook as one PDF has up to 120 MB
MAX_PAGES = 3000  # the longest FAA publication (the AIM with everything) has about 1,000
MAX_PAGE_PIXELS = 40_000_000  # one rendered page: A3 at 300 DPI is 17 million
MAX_IMAGE_PIXELS = 60_000_000  # one embedded figure, before it is decoded
MAX_LINES = 2000  # of one page that is read as print; the densest of the FAA's has 465
MAX_LETTERS = 100_000  # the same; the densest has 7,000
MAX_CROWDED = 20  # pages with more than that, before the file is no document: an atlas
MAX_LINES_FIRST, MAX_LINES_EACH = 10_000, 500  # lines of a file: some, and for each of its pages
MAX_RULES = 4000  # drawn lines of one page that are looked at for tables; a full one has some 400
LONG_DOCUMENT = 200  # pages from which memory is given back after a job: looking for it takes 0.1 s
MAX_IMAGES = 5000  # figures of one file
CHILD_MEMORY_BYTES = 416 * 1024 * 1024  # data of the parsing process; its programs take 60 MB more
CHILD_CPU_SECONDS = 10  # of opening a file: 3,000 pages with their outline take 2 s
READ_SECONDS = 6.0  # of processor for a file, to which its pages or pictures add
PAGE_SECONDS = 0.2  # of processor that each page adds: twice the slowest measured, 10 pages/s
LONGEST_PAGE_SECONDS = 5.0  # of processor for one page; the slowest of the FAA's takes 0.1 s
PICTURE_SECONDS = 0.6  # of processor that each picture adds: twice what a chart at 200 DPI takes
LONGEST_PICTURE_SECONDS = 3.0  # of processor for one picture; the slowest of the FAA's takes 0.5 s
CHILD_WALL_SECONDS = 900  # 3,000 pages at that rate, on a machine that is busy with something else
LINE_BYTES = 32 * 1024 * 1024  # one message of the parsing process (one page); a dense page has 60 KB
MAX_TEXT_BYTES = 24 * 1024 * 1024  # a file without pages; all of part 91 has 0.7 MB, as HTML 3 MB
TEXT_MEMORY_BYTES = 448 * 1024 * 1024  # data of the process that reads it; 17 MB of HTML take 400 MB
TEXT_CPU_SECONDS = 8  # the same for its time; part 91 as Markdown takes 0.3 s
TEXT_WALL_SECONDS = 18  # as above: a file is read or refused within 20 s
MAX_NAME = 200  # characters of a file's name that are kept; file systems give 255 bytes

# --- Ingestion: chunks --------------------------------------------------------------------------------------

CHUNK_TOKENS = 800  # tokens of the embedding model, at most (seed 001)
CHUNK_OVERLAP = 100  # tokens carried over inside a section (seed 001)
LEAST_CHUNK_TOKENS = 8  # tokens: fewer hold no sentence
SEMANTIC_DISTANCE = 0.35  # cosine distance of two sentences, beyond which a semantic chunk ends (seed 004)
# The same as measured for one model (docs/benchmarks, chunking): the best mrr@10 of seven ways on 123 questions; 33 %
# of neighbouring sentences are farther apart, where 0.35 parts 83 %.
SEMANTIC_MEASURED = {"all-MiniLM-L6-v2": 0.7}
SEMANTIC_LEAST = 60  # tokens a semantic chunk has before it may end: three sentences can be understood alone
MIN_LAST_CHUNK = 50  # characters: a shorter rest joins the chunk before it (seed 001)
MIN_SECTION = 200  # characters: a shorter section without a number joins its next sibling
MIN_SECTION_BODY = 50  # characters: a numbered heading with less beneath it joins what follows

# --- Ingestion: figures (seed 001) --------------------------------------------------------------------------

FIGURE_MIN_PIXELS = 100  # width and height; smaller pictures are rules, logos and bullets
FIGURE_MIN_BYTES = 5 * 1024  # encoded as it is stored in the file
FIGURE_MAX_ASPECT = 10.0  # longer side by shorter side; beyond it is a rule or a border
FIGURE_LABEL_DISTANCE = 50.0  # points around the picture in which "Figure 15-1" may stand
FIGURE_CAPTION_DISTANCE = 80.0  # points below the picture in which its caption may stand
FIGURE_WEBP_BYTES = 500 * 1024  # a picture larger than this is kept as WebP
FIGURE_MAX_SIDE = 4000  # pixels of the longer side kept: a letter page at 360 DPI (WebP ends at 16,383)
PAGE_DPI = 200  # dots an inch of a rendered page

# --- Ingestion: text of scanned pages ------------------------------------------------------------------------

OCR_DPI = 300  # dots an inch: what tesseract was made for; below 200 it takes letters for each other
OCR_SECONDS = 60  # of one page, which takes 2 to 5
OCR_SURE = 60.0  # of 100: tesseract's own confidence in a word, below which it is counted as doubtful

# --- Ingestion: links between chunks and figures (seed 001) -------------------------------------------------

LINK_FIGURE_REF = 0.9  # the chunk names the figure
LINK_CAPTION_LEAST = 0.30  # least share of the caption's words that the chunk has
LINK_CAPTION_LETTERS = 4  # a word of fewer letters says nothing about what a caption is about
LINK_SAME_PAGE = 0.5  # the page alone: ranks last, never shown as evidence

# --- Ingestion: embeddings and jobs -------------------------------------------------------------------------

EMBED_BATCH = 50  # chunks a call (seed 001)
ESTIMATE_PAGES = 20  # of a PDF that are read for an estimate, evenly spread: 0.3 s
ESTIMATE_SECONDS = 15.0  # an operator waits for it
STANDARD_SECONDS = (
    15.0  # to look whether a file is a certification standard, and to read it: 0.5 s for one of 87 pages
)
EMBEDDED_SHARE = 1.1  # tokens embedded for each of a passage: its heading stands before it, windows overlap
REMOVE_BATCH = 5000  # vectors deleted at once: a transaction of a second
AWAY_SECONDS = 30.0  # before a job whose model was away is tried again; doubled each time
AWAY_MOST_SECONDS = 600.0  # the longest of these waits
LARGE_PDF_BYTES = 15 * 1024 * 1024  # a job of a larger PDF takes minutes: small ones go before it
LARGE_TEXT_BYTES = 1024 * 1024  # the same for text, of which 1 MB has some 220,000 tokens
TRIES_AT_A_JOB = 3  # by one message: another worker may take the same one a moment before
LARGE_AT_ONCE = 1  # large jobs worked on at once: with two workers one stays free for small files
LARGE_WAITS_SECONDS = 900  # after which a large job waits behind small ones no longer
UNFINISHED = "unfinished"  # the storage's folder of files that are being written; backups leave it out
UNFINISHED_SECONDS = 3600  # a file that nobody has written to for so long was given up: 200 MB take minutes
# A worker that says nothing for so long has lost its job (JOB_LEASE_SECONDS sets another). With a sweep each half lease
# the work of a killed worker goes on within 30 s.
LEASE_SECONDS = 15
# A step that gets no further for so long is ended, and its job fails. Each step that may take minutes says how far it
# is, so this is far beyond the longest silence of a sound file.
STALLED_SECONDS = 600
INTERRUPT_AGAIN_SECONDS = 5.0  # between two attempts to end a step
CANCEL_SECONDS = 1.0  # between two looks of a worker whether its operator wants it to stop
PULSE_SHARE = 0.25  # of a lease, after which a living worker prolongs it: three beats may be missed
SWEEP_SECONDS = 30  # between two looks at jobs that nobody works on; half a lease where that is less
SWEPT_AT_ONCE = (
    8  # jobs that one sweep sends: more than workers take meanwhile; each that ends sends the next
)
PROGRESS_SECONDS = 0.5  # least time between two writes of the progress; an eye sees no more
# Starts of one job before it is given up. A file that takes its worker down does so each time; a deployment, a full
# machine or an operator's kill may hit a long job several times, and nobody is to start it again by hand for that.
MAX_ATTEMPTS = 20

# --- Editions and currency ----------------------------------------------------------------------------------

RECHUNK_SHARE = 0.30  # of a text changed, above which it is chunked anew as a whole (seed 004)
BORDER_LETTERS = 60  # letters by which the beginning of a passage is known in another edition: ten words
SAME_WORK_SHARE = 0.2  # of two documents of one name that is the same text, from which they are editions
SAME_FILE_SHARE = 0.5  # the same for two files of one name with other titles: the name alone says little
ANCHOR_WORDS = 8  # words of a quote that is recognised in another section; shorter ones stand in many
WRITTEN_LENGTH = 50_000  # characters of a document written in the admin: some 20 pages; longer ones are files
# Days from an edition to the day by which somebody has looked for a newer one, by kind of document. Part 91 and the
# AIM change several times a year, the FAA's handbooks every few years with errata between.
CHECK_DAYS = {
    "cfr": 182,
    "aim": 182,
    "handbook": 730,
    "ac": 730,
    "acs": 365,
    "poh": 365,
    "sop": 365,
    "other": 365,
}

# --- Retrieval: candidates and scores -----------------------------------------------------------------------

SEARCH_K = 5  # passages given (seeds 000 and 003)
SEARCH_MAX_K = 100  # the most that one search gives: what recall@100 needs
# Shares of cosine and words in the score, by SEARCH_BLEND: what was measured to find more, and that of seed 001.
BLENDS = {"measured": (0.55, 0.45), "seed": (0.65, 0.35)}
# The words are ranked by BM25, as a share of the most it can be. Its numbers are those of the literature; a word of the
# heading counts as if it stood there so many times more. The scale brings the share to the similarity's range.
BM25_SATURATION = 1.2  # k1: how soon it no longer matters how often a word stands there
BM25_LENGTH_SHARE = 0.75  # b: how much of a passage's length counts against it
BM25_USUAL_LENGTH = 90.0  # different words of a usual passage, stop words left out
HEADING_TIMES = 2
LEXICAL_SCALE = 1.86
# The blend is that of a question of whose answer both legs are as sure as usual. These are the medians of the leads
# over the stories, the labelled sets and their variants with small talk.
LEADERS = 10  # passages of a leg whose scores say how far the first one leads
VECTOR_LEAD = 0.14  # share of the best similarity by which the first leads the mean of the next nine
LEXICAL_LEAD = 0.243  # the same of the words
UNSURE = 2.0  # added to both, in multiples of what is usual: a leg twice as sure as usual moves the odds by a third
# Where one thing is asked, passages that resemble the best ones go up a little. More finds less where one section alone
# is right, and for two questions at once it finds much less. What is near the best is near to much else, too: the scale
# brings scores back to where the bars are (`python -m benchmarks.thresholds`).
COMPANY = 3
COMPANY_SHARE = 0.3
COMPANY_SCALE = 0.9
# An entry of a word's list has 31 bits: the passage's place in its block, how often the word stands there, whether in
# the heading, and how many different words the passage has (2,047 are more than 800 tokens can hold).
WORDS_BLOCK = 8192  # passages; its lists are written in a second or two. The database's triggers know it, too
WORDS_PLACE, WORDS_OFTEN, WORDS_HEADED, WORDS_LONG = 1 << 18, 1 << 12, 1 << 11, 1 << 11
LEXICAL_POSTINGS = 4_000_000  # entries summed for one search: 50 ms; of more the commonest words fall out
SHORT_LIST = 20_000  # entries of a list that is read where its length is asked for: 80 KB
LISTS_KEPT = 32_000_000  # entries in the memory of a process, 8 bytes each; 100,000 passages have 9 million
LISTS_LEAST = 50  # entries for which a list counts besides, with its name
WORDS_LOOKED_AT = 1.5  # of what the words' leg should need under filters: a word may be rarer there
SCORE_FLOOR = 0.3  # a passage below it is not given (seeds 000 and 001)
# Passages that the legs bring before the scores are fused, by vectors, and by words or a section's number: as few as
# put what is right hardly lower (docs/architecture/retrieval.md).
NEAREST = 15
TELLING = 24
EXACT_SCORE = 0.9  # least score of a passage that was asked for by its section's number
EF_SEARCH = 200  # HNSW's working list; less loses (docs/architecture/retrieval.md)
EF_ALLOWED = 100  # of a working list those that may be given, at least
EF_CONSTRUCTION = 200  # the same while it is built, as the migrations have it; 64 finds a tenth less
EF_MOST = 1000  # the longest that pgvector takes
MAX_SCAN_TUPLES = 40_000  # rows an iterative scan may visit
# A filter that leaves n of N passages makes the index visit some 50 · N / n of them, where comparing all reads n. With
# a visit as dear as three rows that are read, they cost the same where n² is this times N.
EXACT_ROWS = 160
FALLBACK_RESULTS = 2  # fewer results than this: once more without the inferred filters (seed 001)
FALLBACK_TOP = 0.4  # a best score below this: the same (seed 001)
RERANK_FACTOR = 2  # candidates to rank again for each passage shown (seed 003)
RERANK_LEAST = (
    20  # candidates read again however few are shown: a right passage stands there, seldom further down
)
RERANK_DEPTH = 30  # the most that are read again; each that was not read before takes as long as embedding it
RERANK_SIMILARITY, RERANK_RECENCY, RERANK_KEYWORD = (
    0.7,
    0.15,
    0.15,
)  # shares of the keyword reranker (seed 004)
RECENCY_HALVED_DAYS = (
    730  # handbooks are looked at every two years (CHECK_DAYS): an edition older by that says half
)
# Late interaction is three tenths of the value, and each passage moves by three tenths towards the three that resemble
# it most. One number for all three, chosen on both labelled sets and the stories, where 0.2 to 0.5 find about as much.
LATE_SHARE = 0.3
NEIGHBOURS = 3
NEIGHBOURS_SHARE = 0.3
NEAR_EQUAL = 0.01  # scores so near say nothing of which is better: authority decides
REPEATED_RUN = 5  # words in a row by which texts are compared: fewer stand in many texts by chance
REPEATED_SHARE = (
    0.85  # of a passage's runs that another has, from which it says nothing new; one changed word costs 5
)
OVERLAP_SHARE = (
    0.6  # of a passage, carried over from its neighbour where the text was cut, from which that is enough
)
CONFLICT_WORDS = 4  # telling words that two sentences must share before their limits are compared
CONFLICT_SHARE = 0.5  # the same as a share of all telling words of both
CONFLICT_AMOUNTS = 4  # amounts of a sentence that is compared; one with more is a table in words
SPARE_RESULTS = 5  # passages ranked beyond those asked for, to take the places of repetitions
TYPED_LONGEST = 10_000  # characters of a question that is typed: four pages, more than any scenario
TYPED_MOST = 50  # passages that a person or a program may ask for at once
EXPLAINED_ROWS = 20  # passages that an explanation shows: four screens; its legs are ranked further
EXPLAINED_DEPTH = 1000  # places of each leg in which a passage that was expected is looked for
IMAGES_PER_SEARCH = 3  # figures shown with one answer (seed 001)

# --- Retrieval: the query -----------------------------------------------------------------------------------

# The local model reads 256 tokens at once, about 1,000 characters of English: shares of that.
QUERY_CHARACTERS = 900  # a search without an element may fill it all
ELEMENT_CHARACTERS = 260  # the longest element of the private ACS has 297 and repeats itself
QUESTION_CHARACTERS = 400  # 60 words at most (EXAM.md) are about 350
ANSWER_CHARACTERS = 400  # the claims of an answer that come nearest to the library
SHORT_ANSWER = 40  # characters: "3 SM" is near to nothing by itself and is embedded with its question
QUERY_TERMS = 40  # words of a search without an element that the lexical leg looks for
ELEMENT_TERMS, QUESTION_TERMS, ANSWER_TERMS = 8, 20, 12  # the same of each: none can crowd out another

# Three searches are fused: for what is tested, what the student said, and where to go next. What is tested leads, so
# that a wrong answer does not lead away; each counts by its part of those there are.
TESTED_SHARE = 0.65
SAID_SHARE = 0.25
NEXT_SHARE = 0.10

# A long text is taken apart. Measured on the stories of tests/data/stories and on both labelled sets with sentences of
# small talk put in (docs/architecture/retrieval.md), on no set of questions that figures are told of.
PARTS_MOST = 40  # parts of a text that are looked at: 5,000 characters have 55 sentences
PART_WORDS = 40  # of a part at most: speech without full stops is cut at its clauses
PART_NEAREST = 3  # passages whose mean similarity says how near the library comes to a part
PART_SHARE = 0.65  # of the nearest part's nearness, below which a part is chatter; 0.6 and 0.7 find less

# --- Retrieval: quality, one set of thresholds for each embedding model -------------------------------------

QUALITY_WEAK = 0.5  # a best score below it is weak (seed 000)
QUALITY_STRONG = 0.6  # a best score from it on is strong (seed 000)
# With all-MiniLM-L6-v2 the seeds' bars are right for a plain question: of 235 questions that the library does not
# answer 95 % stay below the first and 99 % below the second (docs/benchmarks, thresholds). Of a story's words no
# passage holds more than a few, so that its scores lie lower; the same measure gives these.
SEVERAL_WEAK = 0.39
SEVERAL_STRONG = 0.42
SEVERAL_FLOOR = 0.18
SEVERAL_POOR = 0.31  # as the seed's 0.4 lies to its 0.5

# --- Retrieval: cache ---------------------------------------------------------------------------------------

CACHE_SECONDS = 3600  # 60 minutes (seed 004)
CACHE_REST_SECONDS = 1.0  # for which vectors are not looked for in a cache that has just failed
WATCHED_LOOK_UPS = (
    100  # by element, the last of a day, of which one at least must have been known: some 10 exams
)
WATCHED_VECTORS = 500  # texts of questions of which one at least must have been known
QUERY_VECTOR_SECONDS = 24 * 3600  # vectors of elements and questions: no library changes them

# --- Graph --------------------------------------------------------------------------------------------------

BUNDLE_DEPTH = 2  # edges from the element (seed 002)
BUNDLE_MAX_DEPTH = 4  # beyond it an Area's nodes are all there is to find
BUNDLE_NODES = 40  # nodes of a bundle: what a prompt of 4,000 tokens holds with their evidence
BUNDLE_ROOMS = {  # nodes of each kind that have a place before the rest of any other
    "regulatory_claim": 26,
    "definition": 3,
    "misconception": 3,
    "procedure": 2,
    "topic": 3,
    "acs_element": 3,
}
BUNDLE_SUBJECTS = (  # of claims that are equally urgent (seed 002)
    *("weather_minimums", "airspace", "right_of_way"),
    *("endorsements", "currency", "documents", "inspections"),
)
BUNDLE_EVIDENCE = 3  # passages a node (seed 002)
BUNDLE_CONFIDENCE = 0.3  # an edge or a passage less certain than this is not followed or shown
CLAIM_LINKS = 3  # elements that one approved claim is linked to at most
CLAIM_CANDIDATES = 40  # elements of a standard compared by meaning, the likeliest by all else
CLAIM_NEARBY = 15  # passages over which the items' statements lose two thirds of their say
CLAIM_LINK_WEIGHTS = {  # tools/training/claim_links.py, fitted to one half of tests/data/claim_elements.jsonl
    "words": 7.7,
    "item_words": 8.1,
    "passage_words": 11.0,
    "nearby": 0.7,
    "referenced": 2.8,
    "knowledge": 2.4,
    "skill": -1.1,
    "flown": -4.0,
    "meaning": 2.3,
    "place_meaning": 7.1,
}
CLAIM_LINK_SLOPE = 0.47  # of the log odds by weight, fitted with the weights
CLAIM_LINK_EVEN = 8.13  # slope times the weight at which a link is as likely right as wrong
CLAIM_LINK_FLOOR = 0.1  # least likelihood of a link; below it claim and element share a word by chance
CLAIM_LINK_NEAR = 0.6  # of the best likelihood: what is less likely than this share of it is not linked
CLAIM_READ_STEP = 0.1  # between the scores of the elements that a person read for a section

# --- Grounding ----------------------------------------------------------------------------------------------

ENTAILMENT_COVERAGE = (
    0.6  # least share of a claim's content words (or cosine) that one place of the passage holds
)
ENTAILMENT_SIMILARITY = 0.75  # cosine from which meaning may stand in for words; all-MiniLM-L6-v2
ENTAILMENT_WINDOW = 3  # sentences in a row that may support one statement together
AMOUNTS_COMPARED = (
    300  # amounts of one text that are compared, the first ones: a page of a performance table has fewer
)
# Characters before and after an amount in which its conditions are looked for; no clause of the FAA is longer.
PART_REACH = 600
# Sentences, amounts, conditions and words of texts are kept: a turn reads the same 30 texts 200 times. One kind of
# reading takes at most some 200 bytes a character of its text ("1-1-1-"), so these are 80 MB at worst, 5 MB as a rule.
READINGS_CHARACTERS = 400_000  # of all texts of which one kind of reading is kept
READING_LONGEST = (
    20_000  # characters of a text that is worth keeping: an answer, a passage, and no whole document
)
READING_LEAST = 100  # characters that a text counts as at least, for what keeping costs besides

# --- API tokens ---------------------------------------------------------------------------------------------

TOKEN_DAYS = (
    90  # days until a token ends by itself: one that was copied and forgotten is worth nothing after a term
)

# --- What requests cost, in points of the throttle `cost`: one is a search, some 50 ms of a processor ----------

SEARCH_COST = 1
BUNDLE_COST = 1  # an element's context: the graph and a search
RERANK_COST = 5  # a search whose passages are read again, token by token: half a second of a processor
DOCUMENT_COST = 5  # a job over a document that is there: to chunk, recognise or extract it again
UPLOAD_BYTES_A_POINT = 10 * 1024 * 1024  # of an upload: storing and checking 10 MB takes as long as a search
