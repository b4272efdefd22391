"""The numbers of an exam, each with its unit, its reason, and its source.

These are constants: nothing here is read from settings, and nothing elsewhere in `exams` writes a bare number.
"""

from collections.abc import Mapping
from typing import Final

# --- Scope and budgets: how many elements an oral scores -------------------------------------------------

OPEN_EXAMS_MOST: Final = 5
"""Open orals of one student: one that runs and a few that are paused. Each is planned over all elements and keeps its
frames."""
EXAM_COST: Final = 10
"""Points of the throttle `cost` (a search is one): planning an oral reads every element with its support."""
PDF_COST: Final = 5
"""The same of laying out a debrief as a PDF: a tenth of a second of one core for a whole oral, one at a time."""
DISPUTE_COST: Final = 5
"""The same of a dispute: each takes minutes of a reviewer, so nobody sends two dozen in one."""
FRAMES_A_MINUTE: Final = 600
"""Frames that one exam may send in a minute: more than any student does, also when a client reconnects and sends
everything again."""

CARRIED_OVER_DAYS: Final = 60
"""How long satisfactory Areas of an oral that was not completed count (14 CFR 61.43(f))."""
QUESTIONS_LEAST: Final = 1
"""The smallest number of scored elements that a request may name."""
QUESTIONS_MOST: Final = 66
"""Scored elements: one knowledge and one risk element of 28 Tasks, and ten table skills."""
QUESTIONS_MOCK_LEAST: Final = 26
"""Scored elements from which an oral takes the time of a whole one."""
QUESTIONS_MOCK_MOST: Final = 32
"""Scored elements of a mock: the core Tasks with their table skills fill an hour."""
QUESTIONS_AREA_FLOOR: Final = 12
"""Scored elements of an Area with few Tasks, if that many can be asked: twenty minutes."""
QUESTIONS_AREA_PER_TASK: Final = 3
"""Scored elements per Task when one Area is picked: its minimum and one more."""
QUESTIONS_DRILL: Final = 10
"""Scored elements of a weak oral or a drill: what a tired student can do in twelve minutes."""
DRILL_OTHERS_EVERY: Final = 5
"""In a drill at most every fifth element is not weak, so at least 80 % are (lesson 17)."""
HINTS_PER_QUESTION: Final = 0.5
"""Hints for each scored element, rounded down. The probes of an element need no budget:
docs/adr/0006-probes-for-every-element.md."""
PROBES_MOST: Final = 2
"""Probes of an element; the second comes only where something required was never asked about."""
MINUTES_PER_QUESTION: Final[Mapping[str, float]] = {
    "full": 2.0,  # a full oral is 56-66 elements in 120 minutes
    "mock": 2.0,  # 26-32 elements in 60 minutes
    "area": 1.6,
    "weak": 1.2,  # 10 elements in 12 minutes
    "drill": 1.2,
}
MINUTES_PER_QUESTION_SHORT: Final = 1.6
"""Minutes an element when a small number narrows the scope: the first try is 5 elements in 8 minutes."""
MISSING_NAMED: Final = 4
"""Missing documents to name where elements cannot be asked; nobody reads a longer list."""
SUBELEMENTS_USUAL: Final = 1
"""Sub-elements that satisfy their parent where the standard asks for no more (FAA-S-ACS-6C p. 75)."""

# --- The ladder ------------------------------------------------------------------------------------------

QUALIFICATION_EXCHANGES_MOST: Final = 6
"""Exchanges of a qualification, follow-ups included (EXAM.md)."""
DOUBT_EVERY: Final = 6
"""One in so many questions of an oral over some Tasks is left for doubts; without a doubt it asks an extra element."""
DOUBTS_BEYOND: Final = 2
"""Elements at most that are asked beyond the plan, for doubts of its last questions."""
DRILL_DOWN_DEPTH: Final = 2
"""How many steps an oral goes down to what a missed element builds on (EXAM.md)."""
UNGRADED_TRIES: Final = 3
"""How often one turn may come back ungraded before the oral is paused: three failures take longer than a student
waits."""
NON_ANSWERS_MOST: Final = 3
"""Non-answers to one turn, the last of which counts as "I don't know": one may be a slip of the keyboard."""
ASIDE_CHARACTERS_MOST: Final = 100
"""Characters of an aside; a longer one holds an answer as well."""
ASIDE_SURE: Final = 0.5
ASIDE_PLAIN: Final = 0.95
ASIDE_MEANING_SURE: Final = 0.4
"""Probabilities from which words are said to the examiner, are so even when said again or when they ask about the
flight, and mean one thing: about one in a hundred fragments of accepted wordings is above the first, before what is
expected is looked at."""
ANSWER_NEAR: Final = 0.62
ANSWER_IDEAS_LEAST: Final = 0.5
"""Cosine to one of the questions that a prepared answer is for, and share of the asked ideas that it has, from which a
student who asks about the flight hears it."""
ANSWER_SURE: Final = 0.74
ANSWER_IDEAS_SURE: Final = 0.25
"""The same of a question that is nearly one of those in other words."""
SAME_WORD_MOST: Final = 10
"""Times that an answer may say one word and nothing else: "mayday" is said three times, "pan" six times."""
WORD_LETTERS_MOST: Final = 60
"""Letters of one word of any language. A longer run is a sentence of a script without spaces, or nothing."""
WORD_LETTERS_LEAST: Final = 6
"""Different letters of a longer run from which it is such a sentence."""
NUMBER_DIGITS_MOST: Final = 40
"""Digits of a number, or of a list of numbers without spaces, that somebody could have said."""

# --- Verdicts, report, mastery ---------------------------------------------------------------------------

PARTIAL_WEIGHT: Final = 0.5
"""The weight of "partial" wherever a score is shown (lesson 19). No result depends on it."""
DRILLED_MOST: Final = 3
"""Elements of the drill that makes up for a Task of which nothing of a kind was asked."""
STUDY_FIRST: Final = 3
"""Things to study first in a report; nobody works through a longer list."""
TOPIC_ASKED_MOST: Final = 1
"""Questions of one topic in a mock oral."""
FAILURES: Final = ("failure-", "inoperative-equipment", "transponder")
"""How the topics of what does not work on the airplane begin."""
FAILURES_MOST: Final = 3
"""Things that fail on the airplane of one mock oral: after more, no flight would go on."""
MASTERY_DECAY: Final = 0.5
"""Weight of an attempt relative to the next newer one: recent answers count more than the mean."""
MASTERY_WEAK_BELOW: Final = 0.7
"""An element is weak below this estimate (0-1). One satisfactory answer after one unsatisfactory gives 0.67 and is
still weak; two in a row give 0.86 and are not."""
MASTERY_BY_MENTION: Final = 0.5
"""Estimate of an element that was only mentioned, in satisfactory answers."""
RECALL_WANTED: Final = 0.9
"""Probability that an element is still known on the day it is due: FSRS's own default, tuned on its data."""
DUE_DAYS_MOST: Final = 60
"""Days after which an element is due at the latest: as long as a passed Area counts (14 CFR 61.43(f))."""
DUE_HOURS_AHEAD: Final = 8
"""Hours before its time from which an element is due: who practiced at noon may come back the next morning."""
SHOWN_DEVELOPMENT: Final = 12
"""Orals in the picture of the development: as many as fit beside each other on a phone."""
DUE_QUESTIONS: Final = 5
"""Questions of a drill over what is due: about five minutes."""

# --- Frames ----------------------------------------------------------------------------------------------

ANSWER_CHARACTERS_MOST: Final = 10_000
"""Characters of one answer: about ten minutes of speech."""
NOTE_CHARACTERS_MOST: Final = 2_000
"""Characters of the note that goes with a dispute or a rating."""
ASSIGNMENT_NOTE_MOST: Final = 500
"""Characters of the word that goes with an assigned oral."""
STUDENTS_A_PAGE: Final = 50
"""Students on a page of their instructor: their verdicts are read at once."""
WEAK_SHOWN: Final = 20
"""Weak elements of a class that are shown first: more than a ground lesson takes up."""
LOOKS_SHOWN: Final = 100
"""Looks of instructors that are listed for a student."""
ASSIGNED_SHOWN: Final = 10
"""Assigned orals on a student's desk: what is open, and the latest that are done."""
CLIENT_ID_CHARACTERS_MOST: Final = 64
"""Characters of the client's own message id: a UUID with room to spare."""
FRAME_BYTES_MOST: Final = 1_048_576
"""Bytes of one client frame before it is read as JSON; large enough that an answer which is too long is refused by
name."""
TURN_NUMBER_MOST: Final = 2_147_483_647
"""The largest turn or sequence number that a row can hold (32-bit integer)."""

# --- Recovery ---------------------------------------------------------------------------------------------

SETTLE_LEASE_SECONDS: Final = 120
"""Seconds after which the sweep takes up an answer that nobody finished assessing: twice a model's deadline."""
AWAY_RETRY_SECONDS: Final = 30
"""Seconds after which the sweep asks again for a verdict whose examiner was away: rarely enough for the vendor, soon
enough for a student who has stayed in the room."""
AWAY_REST_SECONDS: Final = 60
"""Seconds for which a vendor that could not be reached is not asked: its timeout would cost each student that long."""
IDLE_EXAM_HOURS: Final = 24 * 14
"""Hours without a word after which an oral is closed as abandoned (lesson 18): a student may come back for two
weeks."""

# --- Threads of one process (exams/exchange/executors.py) ------------------------------------------------

ANSWER_THREADS: Final = 4
"""Threads that store answers: 20 at once are five waves of some 5 ms each, and a fifth thread would only wait for the
others' turn in the interpreter."""
QUICK_THREADS: Final = 8
"""Threads for all else that takes milliseconds: frames to send, rooms to open."""
AHEAD_THREADS: Final = 4
"""Threads that prepare the next question: offline one is enough, and a vendor's examiner takes seconds for each."""
SLOT_SECONDS: Final = 20.0
"""Seconds that one computation may hold its slot in one go. The longest answer is judged in two, so only a fault takes
longer."""
SLOT_LOOK_SECONDS: Final = 0.5
"""How often somebody who waits for a computation checks whether it has lost its slot."""
SLOTS_MOST: Final = 16
"""Threads that compute at once on a machine with more cores: with the two lanes above still fewer than the 40
connections of the database's pool."""
SWITCH_SECONDS: Final = 0.001
"""How long a thread may keep the interpreter while others want it. Python's own 5 ms are paid after each of the dozen
waits that storing an answer has: `taken` at 20 at once was 0.3 s (`python -m benchmarks.turn`)."""

# --- the offline assessor (exams/offline): python -m benchmarks.offline_assessor --------------------------------

MET_SURE: Final = 0.45
"""Probability from which a key point is met (`python -m tools.training.choose_bars`, which moves the next one along).
0.05 lower, two more of a hundred short right answers are accepted, and one more of a hundred points that were not said
is called met; 0.05 higher, no more right answers are refused, and a point in two hundred that was not said is refused
too."""
CONTRADICTED_SURE: Final = 0.7
"""Probability from which a key point is contradicted; below it nothing is challenged. 44 of a hundred points that
people call contradicted are found in short answers and 14 in spoken ones, and 0.9 of a hundred that they call met are
challenged; at 0.6 these are 57, 20, and 1.6 (`validation/items_short.jsonl`, `items_spoken.jsonl`)."""
IDEAS_IN_ORDER_LEAST, IDEAS_BETWEEN = 4, 1.6
"""Different ideas from which a wording can be said nearly word for word, and how many times as many words that carry
meaning may lie from its first to its last. Of 107 points of the answers in `tools/training/graded/validation` that are
said so, or word for word, people call 104 met."""
WORDINGS_READ: Final = 5
"""Accepted wordings with which an answer is compared beside the point itself: those that share most ideas with it."""
IDEAS_NOT_KNOWN: Final = 2
"""Ideas of a key point alone among those expected that a student names as not known, from which it is missing."""
MET_SURE_BY_WORDINGS: Final = 0.55
"""MET_SURE where a point has such wordings: an average with the nearest is higher than the point's own."""
ALTERNATIVE_SURE: Final = 0.65
"""Probability from which the words after an "or" contradict a key point that the rest of the answer has met. Low,
since it is asked only of answers that begin with "either" (`python -m benchmarks tricks`)."""
ALTERNATIVES_MOST: Final = 6
"""Alternatives of one answer that are looked at: each costs one reading."""
SENTENCES_MOST: Final = 8
"""Sentences of an answer that are read one by one for the words to show beside a point: each costs one reading."""
PART_WORDS: Final = 150
"""Words of an answer that are judged in one go: about the tokens that the classifier reads (220)."""
PARTS_MOST: Final = 3
"""Parts of an answer that are judged: three minutes of speech. A student who pastes pages is asked for a shorter
answer."""
HALF_SURE: Final = 0.5
"""Probability of met and half together from which a point is half met."""
ALSO_SAYS: Final = 1 / 2
"""What contradicts a point speaks of it: how much it counts for a sentence, shown as doing so, that it seems to say
the point. With it the right sentence is shown in 93 instead of 82 % (87 answers of `validation/items_pairs.jsonl`)."""
SAID_LEAST: Final = 0.2
"""The same for the sentence, or two in a row, that says it best: below it a point of a longer answer is half met at
most. Of 750 points that the classifier and people called met it holds for 0.3 %, of 113 that people called missing or
contradicted, for 11 %. At 0.3 these are 0.5 and 16 %, but 1.1 more of a hundred right answers are asked once more."""

CONVEYED_LEAST: Final = 0.1
"""Probability, by the local judge, that an answer conveys a point, below which no model's "met" counts. Of 2,044 points
that people called met, 1.5 % are below it; of 1,340 called missing or contradicted, 52 %."""
CONVEYED_IN_PART_LEAST: Final = 0.05
"""The same for "half": 4 % of 255 such points are below it."""

KEYWORDS_DOUBT, KEYWORDS_DECIDE = 0.9, 0.3
"""The same below which a point that the classifier calls met is doubted where a group of its key words is missing, and
from which a point is met whose key words stand together (`python -m benchmarks offline_assessor`). Of first answers in
orals, without key words 88 % of the right ones were accepted and 19 % of the others, with them 92 and 16 %; of bluffed
ones 80 and 14 %, now 88 and 12 %. Met from 0.45 on instead of 0.3 these are 90 and 16, 88 and 11 %: a harder judge, and
more follow-ups that ask for what was said."""
HALF_HEARD: Final = 0.2
"""The same from which a missing point may have been said in other words, and not understood."""
SAID_UNASKED: Final = 0.8
"""The same from which a decision that an item asks for next counts as made before that. Of 13 that the judge had heard
in answers to opening questions of four orals, 2 of the 5 below it had not been made, and 2 of the 8 above it."""
SURELY_SAID: Final = 0.9
"""The same from which a point that is not required is listed as covered. `python -m
benchmarks offline_assessor` says how often people agree with those, and with all that are called met."""
HINT_SAID: Final = 0.7
"""Share of a hint's ideas that were said or asked before, beyond which the hint would only repeat them."""

# --- Set-up, briefings, shadow mode -----------------------------------------------------------------------

FACTS_SECONDS: Final = 3600
"""How long the list of elements that can be asked is cached; a change of the library invalidates it at once."""
SENTENCE_WORDS_LEAST: Final = 8
"""Least number of words of a sentence that makes sense alone."""
SENTENCE_WORDS_MOST: Final = 45
"""Most words of a sentence that a student can be expected to convey."""
BRIEFING_PASSAGES: Final = 5
"""Passages that examiner and assessor get besides the evidence (seeds 000, 001)."""
BRIEFING_AROUND_TOKENS: Final = 500
"""Tokens of what stands around an element in the graph: some fifteen short statements beside 4,000 of passages."""
COMPUTED_TOKENS: Final = 1_200
"""Tokens of what decision tables tell an assessor: filled from parts 61 and 91, those of PA.I.E.K1 (weather minimums
and speeds), which has most, take 1,111."""
BRIEFING_IMAGES: Final = 3
"""Figures shown with a question (seed 001)."""
COMPARED_AT_ONCE: Final = 20
"""Comparisons per run of shadow mode: each takes some 0.3 s, and the worker's other jobs wait."""
COMPARED_WITHIN_HOURS: Final = 24
"""Hours after its question in which a comparison is made; later the library may have changed."""

# --- The sample that is checked again (exams/oversight) ------------------------------------------------------

SAMPLE_SHARE: Final = 0.1
"""Share of exchanges whose statements are checked against their sources once more (seed 000, lever 9.7)."""
SAMPLED_AT_ONCE: Final = 20
"""Exchanges per run: each takes about half a second of processor time, and the worker's other jobs wait."""
SAMPLED_WITHIN_HOURS: Final = 48
"""Hours after an exchange in which it may be checked: a worker that was down overnight catches up."""
SAMPLE_DAYS: Final = 30
"""Days that the page of the sample shows."""
SAMPLE_GAUGE_DAYS: Final = 7
"""Days of the figures in `/metrics`: one bad afternoon shows, one bad exchange raises no alarm."""
SAMPLE_CHECK_TIMEOUT_S: Final = 60.0
"""Seconds for a vendor's model to read the statements of one exchange; nobody waits for it."""

# --- Quotes beside a verdict ------------------------------------------------------------------------------

SAID_WORDS_LEAST: Final = 2
"""Words that carry meaning from which an answer without amounts is looked up: "I do not know" has none."""
NEAR_QUOTES: Final = 2
"""Sentences shown beside one verdict: more are not read while the next question waits."""
NEAR_WORDS: Final = 0.5
"""Share of the student's meaningful words from which a sentence is near to them."""
NEAR_WORDS_LEAST: Final = 3
"""Least number of meaningful words that both have: two may be common by chance."""
NEAR_WORDS_WITH_AMOUNT: Final = 0.2
"""The same for a sentence that holds an amount which was said: "3 miles" is rare, the words around it are not."""

# --- Questions --------------------------------------------------------------------------------------------

QUESTION_WORDS_MOST: Final = 60
"""Words of a question (EXAM.md)."""
SHARED_RUN: Final = 5
"""Words in a row that a question may not share with its own answer."""
OPENER_WORDS: Final = 2
"""Number of first words that make two questions begin alike."""
QUESTION_TRIES: Final = 2
"""How often a model is asked for one question: once, and once more with what was wrong."""
EXAMINER_TIMEOUT_S: Final = 20.0
"""Seconds for one question with its repair: a student waits, and the page explains itself after 8."""
ASSESSOR_TIMEOUT_S: Final = 45.0
"""Seconds for one assessment with its repair."""
TAKEN_BACK: Final = 0.3
"""Share of a point's ideas that an answer has where it takes back what was said against the point before. Chosen by
reading; no labeled set has answers of two turns."""
FIGURE_BYTES_MOST: Final = 3_500_000
"""Bytes of a figure that an assessor is shown. Anthropic takes 5 MB an image, in base64, which is a third longer."""
WORDS_BEYOND_ELEMENT: Final = 4
"""Words beside an element's own text up to which a question is still that text: "Tell me about …"."""
ANSWER_WORDS_LEAST: Final = 8
"""Distinct content words of an expectation without figures from which one can say how much of it a question gives
away."""
ANSWER_SAID: Final = 0.75
"""Share of the answer's content words in the question from which the question is the answer; a question with the
conditions of its rule stays below it (measured on the demo's claims)."""
MEANING_CHARACTERS: Final = 1_000
"""Characters of one text that are read for its meaning: about what the local model reads at once."""
ALIKE_SHOWN: Final = 50
"""Verdicts of other open exams on a disputed item that its page lists, the latest: more than one reads in a sitting."""
BELIEFS_TOLD: Final = 2
"""False beliefs that are set right after one answer."""
ROUNDED_CONVERSION: Final = 0.03
"""Share by which an amount said in another unit may be off: 300 m for 1,000 ft is 1.6 %, 5 km for 3 SM is 3.5 % and
wrong."""
