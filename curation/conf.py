"""The numbers of `curation`, each with its unit, its reason and its source. Pure."""

# characters; the longest single rule of Part 91 that a reviewer read as one has about 600
STATEMENT_LENGTH = 620
ROW_LENGTH = 800  # characters of a row of a table as a sentence; those of § 61.23(d) have up to 740
STATEMENT_LEAST_WORDS = 6  # words; shorter sentences of Part 91 were all fragments
JOINED_LENGTH = 420  # characters of a list that stays together; longer ones are split or refused
HOLLOW_WORDS = 2  # content words after the verb, below which a rule only names another one
REASON_LENGTH = 1000  # characters of a reviewer's reason
# tokens of a model's answer: a chunk of 800 tokens holds up to 15 rules with their quotes
EXTRACTION_TOKENS = 4000
STATEMENT_COVERAGE = 0.7  # least share of a statement's content words that its quotes hold
# share of the headings' words that a sentence says itself, from which they need no repeating
CONTEXT_SAID = 0.5
EDITED_LENGTH = 1200  # characters of a statement that a reviewer writes
DECISIONS_SHOWN = 10  # earlier decisions shown below a claim; more than that has not been seen
TITLE_CAPITALS = 0.8  # share of capitals among words of four letters or more, from which a line is a title
# characters of a quote that a reviewer gives a claim; the longest one drawn has about 900
QUOTE_LENGTH = 1200
OFFERS_SHOWN = 3  # passages offered for a quote that is gone: one key for each
OFFERS_READ = 16  # passages in which a quote is looked for, those that share most of its words first
# least share of common words; below it two sentences of one handbook are about different things
OFFER_LIKENESS = 0.3
OVERLAP_LENGTH = 2000  # characters that two passages share at most: 100 tokens, and longer single sentences
OVERLAP_LEAST = 12  # characters below which the end of one passage is the beginning of the next by chance
TERM_WORDS = 14  # words of a term that is defined; a longer one is a sentence with "means" in it
NAMED_WORDS = 6  # words of a subject; a longer one says itself what it is
QUOTES = 6  # exact words that one claim may rest on: a lead-in and its items
DEFINITION_LEAST_WORDS = 4  # words; "Night means dark hours." is the least that says something
APPLICABILITY_CHUNKS = 8  # chunks of a subpart in which its first section is looked for
# characters of a filter of the queue: as many as the names of its documents and parts have
FILTER_LENGTH = 300
HOLD_MINUTES = 15  # a claim is one reviewer's for so long after it was opened
# claims tried before the queue is called empty: as many reviewers may open it at one moment
HAND_OUT_TRIES = 10
# how long a batch can be decided on after its sample was shown: a working day
SAMPLE_READ_SECONDS = 12 * 3600
OWN_DECISIONS_SHOWN = 10  # of the reviewer's last decisions, beside the claim: what may have to be taken back
POINTS_MOST = 8  # key points of an item, as item files allow
REFUSALS_SHOWN = 5  # examples of each reason that a job keeps: enough to see whether the refusals are right
FAILURES_SHOWN = 100  # failed passages that a job names; their number counts them all
ELEMENTS_SECONDS = 10.0  # seconds of one run, of which each minute has one: jobs wait for its worker
ELEMENTS_A_SWEEP = 200  # claims read for one run: more than it has time for
ELEMENTS_SHOWN = 9  # elements beside a claim: one digit for each
SIMILAR_READ = 300  # claims of the same element or section that are compared with the one shown: some 10 ms
SIMILAR_SHOWN = 4  # of them beside the claim
# least share of content words in common; below it two rules of Part 91 had different subjects
SIMILAR_LIKENESS = 0.5
SAME_LIKENESS = 0.9  # from here two claims whose facts agree say the same
PARTS_MOST = 12  # claims that one claim may be split into: the longest list in Part 91 has ten items
FACT_LENGTH = 1000  # characters of a key fact that a reviewer writes
LEAD_IN_WORDS = 6  # words with which two claims begin; fewer are common, as "No person may operate"
# claims of a queue that a page counts; more than anybody decides in a day, read in some 5 ms
QUEUE_COUNTED = 1000
# seconds; pages of claims and items show what waits of other kinds as counted before: a third of their time
KINDS_KEPT = 30
AUDIT_BATCH = 2000  # decisions read at once when a chain is verified: some 4 MB
# claims read by two, below which a kappa says little: at .6 its 95 % interval is wider than .3 to .9
AGREEMENT_LEAST = 30
DISAGREEMENTS_SHOWN = 100  # on one page; the page says how many there are
PROGRESS_DAYS = 14  # days on the page of progress: two weeks of work
PACE_LEAST = 10  # decisions from which a pace is told
FORECAST_SECONDS = 1800.0  # of sittings, below which nobody can say how long the rest takes
PACE_GAP_LEAST = 1.0  # seconds between two decisions of a person; nobody reads a claim in less
BATCH_LEAST = 20  # alike claims that make a batch: of fewer, the sample would be all of them
BATCH_MOST = 400  # claims of one batch, compared with one another within one request
CLAIMS_WRONG_MOST = 0.05  # share of a batch of claims that may be wrong; of 100 drawn from part 91, 8 were
RELATION_PASSAGES = 100  # passages of a job that proposes relations, unless another number is asked for
RELATION_PASSAGES_MOST = 1000  # of one job: what one reviewer may look through in a day or two
RELATION_PROMPT_TOKENS = 650  # tokens around a passage: 250 of instructions, up to 30 names of concepts
RELATION_REPLY_TOKENS = 200  # tokens of a reply with three relations and their quotes
RELATION_SECONDS = 5.0  # seconds of a call to a vendor's model, guessed: for the estimate alone
