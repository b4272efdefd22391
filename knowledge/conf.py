"""The numbers of `knowledge`, each with unit, reason and source. Pure: importing it starts nothing.

A number marked "seed 001" is the default of that design document; a better one needs a measurement beside it.
"""

# --- Ingestion: what a file may cost ------------------------------------------------------------------------

MAX_FILE_BYTES = 200 * 1024 * 1024  # an FAA handbook as one PDF has up to 120 MB
MAX_PAGES = 3000  # the longest FAA publication (the AIM with everything) has about 1,000
MAX_PAGE_PIXELS = 40_000_000  # one rendered page: A3 at 300 DPI is 17 million
MAX_IMAGE_PIXELS = 60_000_000  # one embedded figure, before it is decoded
MAX_LINES = 2000  # of one page that is read as print; the densest of the FAA's has 465
MAX_LETTERS = 100_000  # as above; the densest page has 7,000
MAX_CROWDED = 20  # pages over these limits before the file is refused as a drawing or an atlas
MAX_LINES_FIRST, MAX_LINES_EACH = 10_000, 500  # lines of a file: some, and for each of its pages
MAX_RULES = 4000  # drawn lines of one page that are searched for tables; a full page has some 400
LONG_DOCUMENT = 200  # pages from which memory is returned after a job, which takes 0.1 s
MAX_IMAGES = 5000  # figures of one file
CHILD_MEMORY_BYTES = 416 * 1024 * 1024  # data of the parsing process; its code takes 60 MB more
CHILD_CPU_SECONDS = 10  # of opening a file: 3,000 pages with their outline take 2 s
READ_SECONDS = 6.0  # of CPU for a file; its pages or pictures add to it
PAGE_SECONDS = 0.2  # of CPU that each page adds: twice the slowest measured, 10 pages/s
LONGEST_PAGE_SECONDS = 5.0  # of CPU for one page; the FAA's slowest takes 0.1 s
PICTURE_SECONDS = 0.6  # of CPU that each picture adds: twice what a chart at 200 DPI takes
LONGEST_PICTURE_SECONDS = 3.0  # of CPU for one picture; the FAA's slowest takes 0.5 s
CHILD_WALL_SECONDS = 900  # 3,000 pages at that rate, on a busy machine
LINE_BYTES = 32 * 1024 * 1024  # one message of the parsing process (one page); a dense page has 60 KB
MAX_TEXT_BYTES = 24 * 1024 * 1024  # a file without pages; all of part 91 has 0.7 MB, as HTML 3 MB
TEXT_MEMORY_BYTES = 448 * 1024 * 1024  # data of the process that reads it; 17 MB of HTML take 400 MB
TEXT_CPU_SECONDS = 8  # of CPU for such a file; part 91 as Markdown takes 0.3 s
TEXT_WALL_SECONDS = 18  # as above: a file is read or refused within 20 s
MAX_NAME = 200  # characters of a file's name that are kept; file systems give 255 bytes
UPLOAD_FILES = 1000  # files in one upload, and in a zip: a library of a thousand documents is one upload
ZIP_BYTES = 1024**3  # unpacked: the FAA's handbooks have 700 MB
ZIP_RATIO = 200  # unpacked size by packed size: XML reaches 30, a bomb 1,000

# --- Ingestion: chunks --------------------------------------------------------------------------------------

CHUNK_TOKENS = 800  # tokens of the embedding model, at most (seed 001)
CHUNK_OVERLAP = 100  # tokens repeated in the next chunk of a section (seed 001)
LEAST_CHUNK_TOKENS = 8  # tokens: fewer are not a sentence
SEMANTIC_DISTANCE = 0.35  # cosine distance of two sentences, beyond which a semantic chunk ends (seed 004)
# As measured for one model (docs/benchmarks, chunking): the best mrr@10 of seven strategies on 123 questions. 33 % of
# neighboring sentences are farther apart; with 0.35 it would be 83 %.
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
LINK_CAPTION_LETTERS = 4  # shorter words do not show what a caption is about
LINK_SAME_PAGE = 0.5  # the page alone: ranks last, never shown as evidence

# --- Ingestion: embeddings and jobs -------------------------------------------------------------------------

EMBED_BATCH = 50  # chunks a call (seed 001)
# of a PDF, evenly spread, that are read for an estimate: half a second; with 20, a handbook's text was 10 % off
ESTIMATE_PAGES = 60
ESTIMATE_SECONDS = 15.0  # an operator waits for it
# to look whether a file is a certification standard, and to read it: 0.5 s for one of 87 pages; on a machine with ten
# other processes at work it took more than 15 s, and the file was taken for none
STANDARD_SECONDS = 60.0
EMBEDDED_SHARE = 1.1  # tokens embedded for each of a passage: its heading stands before it, windows overlap
REMOVE_BATCH = 5000  # vectors deleted at once: a transaction of a second
AWAY_SECONDS = 30.0  # before a job whose model was unavailable is tried again; doubled each time
AWAY_MOST_SECONDS = 600.0  # the longest of these waits
LARGE_PDF_BYTES = 15 * 1024 * 1024  # a job of a larger PDF takes minutes: small ones go before it
LARGE_TEXT_BYTES = 1024 * 1024  # the same for text, of which 1 MB has some 220,000 tokens
TRIES_AT_A_JOB = 3  # by one message: another worker may take the same job a moment earlier
LARGE_WAITS_SECONDS = 900  # after which a large job no longer waits behind small ones
UNFINISHED = "unfinished"  # the storage's folder of files that are being written; backups leave it out
UNFINISHED_SECONDS = 3600  # after which an unchanged file counts as abandoned: 200 MB take minutes
# A worker that is silent for this long has lost its job (JOB_LEASE_SECONDS overrides it). With a sweep every half lease
# the work of a killed worker continues within 30 s.
LEASE_SECONDS = 15
# A step without progress for this long is ended, and its job fails. Each step that may take minutes reports progress,
# so this is far longer than any silence for a sound file.
STALLED_SECONDS = 600
INTERRUPT_AGAIN_SECONDS = 5.0  # between two attempts to end a step
CANCEL_SECONDS = 1.0  # between two checks of a worker for a cancellation
PULSE_SHARE = 0.25  # of a lease, after which a worker extends it: three heartbeats may be missed
SWEEP_SECONDS = 30  # between two sweeps for jobs that nobody works on; half a lease if that is less
# jobs that one sweep sends: more than workers take meanwhile; each that ends sends the next
SWEPT_AT_ONCE = 8
PROGRESS_SECONDS = 0.5  # least time between two writes of the progress; people see no more
# Starts of one job before it is given up. A file that kills its worker does so each time. A deployment, a full machine,
# or an operator's kill may hit a long job several times, and nobody should have to restart it by hand for that.
MAX_ATTEMPTS = 20

# --- Editions and currency ----------------------------------------------------------------------------------

RECHUNK_SHARE = 0.30  # changed share of a text, above which all of it is chunked again (seed 004)
BORDER_LETTERS = 60  # letters that identify the beginning of a passage in another edition: ten words
# share of the passages in force that a new edition may drop before it asks: a torn file drops more
EDITION_DROPS = 0.2
SAME_WORK_SHARE = 0.2  # common share of the text from which two documents of one name are editions
SAME_FILE_SHARE = 0.5  # as above, for two files of one name with different titles: the name alone says little
ANCHOR_WORDS = 8  # words of a quote that is recognized in another section; shorter ones occur in many
WRITTEN_LENGTH = 50_000  # characters of a document written in the admin: some 20 pages; longer ones are files
# Days from an edition's date to its check for a newer one, by kind of document. Part 91 and the AIM change several
# times a year, the FAA's handbooks every few years with errata between.
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
# Shares of cosine and words in the score. The first counts where one thing is asked, the second where several are: no
# passage answers all of a story, but its own words are there. Both find more than seed 001's 0.65 and 0.35.
BLENDS = ((0.6, 0.4), (0.55, 0.45))
# The words are ranked by BM25, as a share of its possible maximum. Its numbers are those of the literature; a word in
# the heading counts as so many more occurrences. The scale brings the share to the similarity's range.
BM25_SATURATION = 1.2  # k1: how soon more occurrences of a word no longer matter
BM25_LENGTH_SHARE = 0.75  # b: how much a passage's length counts against it
BM25_USUAL_LENGTH = 90.0  # different words of a typical passage, without stop words
HEADING_TIMES = 2
LEXICAL_SCALE = 1.86
# A word in another form of its stem ("operation" for "operator") counts as so much of the word: in the rules, the form
# often tells one section from its neighbor (docs/architecture/retrieval.md).
OTHER_FORM = 0.5
# The blend applies to a question where both legs are as sure as usual. These are the medians of the leads over the
# stories, the labeled sets, and their variants with small talk.
LEADERS = 10  # passages of a leg whose scores show how far the first one leads
VECTOR_LEAD = 0.14  # share of the best similarity by which the first leads the mean of the next nine
LEXICAL_LEAD = 0.243  # the same for the words
UNSURE = 2.0  # added to both, in multiples of the usual lead: a leg twice as sure as usual moves the odds by a third
# Where one thing is asked, passages that resemble the best ones go up a little. More finds less where one section alone
# is right, and for two questions at once it finds much less. The best count less by their place: taken alone, three
# pull others to a wrong one among them (docs/architecture/retrieval.md has the figures). What is near the best is near
# to much else, too: the scale brings scores back to where the bars are (`python -m benchmarks.thresholds`).
COMPANY = 20
COMPANY_FADE = 4.0  # places over which the weight of the best falls to 1/e
COMPANY_SHARE = 0.3
COMPANY_SCALE = 0.9
# An entry of a posting list has 31 bits: the passage's place in its block, the number of occurrences, whether one is in
# the heading, and the number of different words in the passage (2,047 are more than 800 tokens can hold).
WORDS_BLOCK = 8192  # passages; its lists are written in a second or two. The database's triggers use it, too
WORDS_PLACE, WORDS_OFTEN, WORDS_HEADED, WORDS_LONG = 1 << 18, 1 << 12, 1 << 11, 1 << 11
LEXICAL_POSTINGS = 4_000_000  # entries summed for one search: 50 ms; beyond, the commonest words are left out
SHORT_LIST = 20_000  # entries of a list that is read together with its length: 80 KB
LISTS_KEPT = 32_000_000  # entries in the memory of a process, 8 bytes each; 100,000 passages have 9 million
LISTS_LEAST = 50  # entries that each list counts in addition, for its name
WORDS_LOOKED_AT = 1.5  # times what the words' leg should need under filters: a word may be rarer there
SCORE_FLOOR = 0.3  # a passage below it is not returned (seeds 000 and 001)
# Passages that the legs bring before the scores are fused, by vectors, and by words or a section's number: as few as
# possible without losing right ones (docs/architecture/retrieval.md).
NEAREST = 15
TELLING = 24
EXACT_SCORE = 0.9  # least score of a passage that was asked for by its section's number
EF_SEARCH = 200  # HNSW's working list; a shorter one finds less (docs/architecture/retrieval.md)
EF_ALLOWED = 100  # least number of allowed passages in a working list
EF_CONSTRUCTION = 200  # the same while the index is built, as in the migrations; 64 finds a tenth less
EF_MOST = 1000  # the longest that pgvector takes
MAX_SCAN_TUPLES = 40_000  # rows an iterative scan may visit
# Under a filter that leaves n of N passages, the index visits some 50 · N / n of them; comparing all reads n. A visit
# costs as much as reading three rows, so both cost the same where n² is this times N.
EXACT_ROWS = 160
FALLBACK_RESULTS = 2  # with fewer results, search again without the inferred filters (seed 001)
FALLBACK_TOP = 0.4  # with a lower best score, the same (seed 001)
RERANK_FACTOR = 2  # candidates to rank again for each passage shown (seed 003)
# candidates read again however few are shown: a right passage stands there, seldom further down
RERANK_LEAST = 20
RERANK_DEPTH = 30  # most passages to rerank; a new one takes as long as embedding it
RERANK_SIMILARITY, RERANK_RECENCY, RERANK_KEYWORD = (
    0.7,
    0.15,
    0.15,
)  # shares of the keyword reranker (seed 004)
# handbooks are looked at every two years (CHECK_DAYS): an edition older by that says half
RECENCY_HALVED_DAYS = 730
# Late interaction is three tenths of the value, and each passage moves by three tenths towards the three that resemble
# it most. One number for all three, chosen on both labelled sets and the stories, where 0.2 to 0.5 find about as much.
LATE_SHARE = 0.3
NEIGHBOURS = 3
NEIGHBOURS_SHARE = 0.3
SERVING_LOOKED_AT = 30  # passages of a search for an element among which those that serve it come first
NEAR_EQUAL = 0.01  # for scores this close, authority decides
REPEATED_RUN = 5  # words per run when texts are compared: shorter runs are shared by chance
# of a passage's runs that another has, from which it says nothing new; one changed word costs 5
REPEATED_SHARE = 0.85
# of a passage, carried over from its neighbour where the text was cut, from which that is enough
OVERLAP_SHARE = 0.6
CONFLICT_WORDS = 4  # content words that two sentences must share before their limits are compared
CONFLICT_SHARE = 0.5  # the same as a share of all content words of both
CONFLICT_AMOUNTS = 4  # most amounts of a sentence that is compared; one with more is a table in words
SPARE_RESULTS = 5  # passages ranked beyond those asked for, to replace repetitions
TYPED_LONGEST = 10_000  # characters of a typed question: four pages, more than any scenario
FOUND_SHOWN = 10  # passages on the library's page of results: who finds nothing there asks otherwise
QUOTE_SHOWN = 600  # characters of a passage that a result shows and its page highlights: six lines
TYPED_MOST = 50  # passages that a person or a program may ask for at once
EXPLAINED_ROWS = 20  # passages that an explanation shows: four screens; its legs are ranked further
EXPLAINED_DEPTH = 1000  # places of each leg in which an expected passage is looked for
IMAGES_PER_SEARCH = 3  # figures shown with one answer (seed 001)

# --- Retrieval: the query -----------------------------------------------------------------------------------

# The local model reads 256 tokens at once, about 1,000 characters of English. These are shares of that.
QUERY_CHARACTERS = 900  # a search without an element may fill it all
ELEMENT_CHARACTERS = 260  # the longest element of the private ACS has 297 and repeats itself
QUESTION_CHARACTERS = 400  # 60 words at most (EXAM.md) are about 350
ANSWER_CHARACTERS = 400  # the claims of an answer that are nearest to the library
SHORT_ANSWER = 40  # characters: "3 SM" alone is near nothing and is embedded with its question
QUERY_TERMS = 40  # words that the lexical leg looks up for a search without an element
ELEMENT_TERMS, QUESTION_TERMS, ANSWER_TERMS = 8, 20, 12  # the same for each part: none can crowd out another

# Three searches are fused: what is tested, what the student said, and where to go next. What is tested leads, so that a
# wrong answer does not lead away. Shares are relative to the searches that exist.
TESTED_SHARE = 0.65
SAID_SHARE = 0.25
NEXT_SHARE = 0.10

# A long text is split into parts. Measured on the stories of tests/data/stories and on both labeled sets with sentences
# of small talk inserted (docs/architecture/retrieval.md), not on the golden questions.
PARTS_MOST = 40  # most parts of a text: 5,000 characters have 55 sentences
PARTS_KEPT = 3  # parts of a question up to which none is chatter (docs/architecture/retrieval.md)
PART_WORDS = 40  # most words of a part: speech without periods is split at its clauses
PART_NEAREST = 3  # passages whose mean similarity is the library's nearness to a part
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
CACHE_REST_SECONDS = 1.0  # during which a cache that has just failed is not used
# by element, the last of a day, of which one at least must have been known: some 10 exams
WATCHED_LOOK_UPS = 100
WATCHED_VECTORS = 500  # texts of questions, at least one of which must have been cached
QUERY_VECTOR_SECONDS = 24 * 3600  # vectors of elements and questions: they do not depend on the library

# --- Graph --------------------------------------------------------------------------------------------------

BUNDLE_DEPTH = 2  # edges from the element (seed 002)
BUNDLE_MAX_DEPTH = 4  # beyond it there are only an Area's nodes
BUNDLE_NODES = 40  # nodes of a bundle: of short ones, what BUNDLE_TOKENS hold with their evidence
BUNDLE_TOKENS = 4_000  # of a bundle's names and quotes
TOKEN_CHARACTERS = 4  # of English, about: budgets of tokens are filled without a tokenizer
BUNDLE_FAN = 60  # edges in each direction that a node away from the element is left by, the surest first
BUNDLE_ROOMS = {  # nodes of each kind that have a place before the rest of any other
    "regulatory_claim": 26,
    "definition": 3,
    "misconception": 3,
    "procedure": 2,
    "topic": 3,
    "acs_element": 3,
    "artifact": 2,
}
BUNDLE_SUBJECTS = (  # of claims that are equally urgent (seed 002)
    *("weather_minimums", "airspace", "right_of_way"),
    *("endorsements", "currency", "documents", "inspections"),
)
BUNDLE_EVIDENCE = 3  # passages a node (seed 002)
BUNDLES_KEPT = 300  # in a process, of about 34 KB each on the FAA's files
BUNDLE_CONFIDENCE = 0.3  # a less certain edge or passage is not followed or shown
GRAPH_DRAWN = 150  # nodes of a drawing; half of them at most beside the middle
GRAPH_EDGES_READ = 5_000  # edges around a drawing's nodes that are read and counted, the surest first
GRAPH_FOUND = 30  # nodes that a search for words lists
# nodes beyond its standard below which an element is listed as thin: a rule, its source, one more
GRAPH_THIN = 3
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

# Least probability of support, chosen with pairs on documents of which other statements were used for fitting; and the
# same where the facts find a negation turned round, or a number that the passage does not state.
SUPPORT_SURE, SUPPORT_SURE_IN_DOUBT = 0.05, 0.5
SENTENCES_CHECKED = 20  # of one claim; each takes 30 ms of processor time
ENTAILMENT_WINDOW = 3  # sentences in a row that may support one statement together
# amounts of one text that are compared, the first ones: a page of a performance table has fewer
AMOUNTS_COMPARED = 300
# Characters before and after an amount that are searched for its conditions; no clause of the FAA is longer.
PART_REACH = 600
# Sentences, amounts, conditions and words of texts are kept: a turn reads the same 30 texts 200 times. One kind of
# reading takes at most some 200 bytes a character of its text ("1-1-1-"), so these are 80 MB at worst, 5 MB as a rule.
READINGS_CHARACTERS = 400_000  # of all texts of which one kind of reading is kept
# characters of a text that is worth keeping: an answer, a passage, and no whole document
READING_LONGEST = 20_000
READING_LEAST = 100  # characters that a text counts as at least, for what keeping costs besides

# --- API keys and invitations ---------------------------------------------------------------------------------

KEY_DAYS = 90  # days until an API key ends by itself: one that was copied and forgotten is worth nothing after a term
# between two notes of a key's last use: nobody asks to the second, and each note is a write
KEY_USE_SECONDS = 60
KEYS_MOST = 20  # API keys of one user, who can still tell them apart
# of those that programs get by password: one for each machine on which a script runs
KEYS_BY_PASSWORD_MOST = 10
# until the link of an invitation expires: two weekly lessons, in one of which it is mentioned
INVITATION_DAYS = 14
# within which an invitation of the same person by the same operator is the same click again
INVITED_TWICE_SECONDS = 10

# --- What requests cost, in points of the throttle `cost`: one is a search, some 50 ms of a processor ----------

SEARCH_COST = 1
BUNDLE_COST = 1  # an element's context: the graph and a search
TABLE_COST = 1  # a decision table: its claims and the passages of its sections
RERANK_COST = 5  # a search whose passages are read again, token by token: half a second of a processor
DOCUMENT_COST = 5  # a job over a document that is there: to chunk, recognise or extract it again
UPLOAD_BYTES_A_POINT = 10 * 1024 * 1024  # of an upload: storing and checking 10 MB takes as long as a search
UNBOUND = "unbound"
"""The key fact that says why a claim binds nobody in any oral that has a folder in knowledge/standards/certificates."""
ORALS = "orals"
"""The key fact that lists the certificates in whose single-engine oral a claim binds somebody."""
# characters of a paragraph quoted as an exception that no claim says: a lead-in and two items
PARAGRAPH_QUOTED = 400
