"""The numbers of `curation`, each with its unit, its reason and its source. Pure."""

STATEMENT_LENGTH = (
    620  # characters; the longest single rule of Part 91 that a reviewer read as one has about 600
)
STATEMENT_LEAST_WORDS = 6  # words; shorter sentences of Part 91 were all fragments
JOINED_LENGTH = 420  # characters of a list that stays together; longer ones are split or refused
HOLLOW_WORDS = 2  # content words after the verb, below which a rule only names another one
REASON_LENGTH = 1000  # characters of a reviewer's reason
EXTRACTION_TOKENS = (
    4000  # tokens of a model's answer: a chunk of 800 tokens holds up to 15 rules with their quotes
)
STATEMENT_COVERAGE = 0.7  # least share of a statement's content words that its quotes hold
CONTEXT_SAID = (
    0.5  # share of the headings' words that a sentence says itself, from which they need no repeating
)
EDITED_LENGTH = 1200  # characters of a statement that a reviewer writes
DECISIONS_SHOWN = 10  # earlier decisions shown below a claim; more than that has not been seen
TITLE_CAPITALS = 0.8  # share of capitals among words of four letters or more, from which a line is a title
QUOTE_LENGTH = (
    1200  # characters of a quote that a reviewer gives a claim; the longest one drawn has about 900
)
OFFERS_SHOWN = 3  # passages offered for a quote that is gone: one key for each
OFFERS_READ = 16  # passages in which a quote is looked for, those that share most of its words first
OFFER_LIKENESS = (
    0.3  # least share of common words; below it two sentences of one handbook are about different things
)
