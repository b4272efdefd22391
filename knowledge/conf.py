"""The numbers of `knowledge`, each with its unit, its reason and its source. Pure: importing it starts nothing.

A number marked "seed 001" is the default of that design document; a better one needs a measurement beside it.
"""

# --- Ingestion: what a file may cost -------------------------------------------------------------------------

MAX_FILE_BYTES = 200 * 1024 * 1024  # an FAA handbook as one PDF has up to 120 MB
MAX_PAGES = 3000  # the longest FAA publication (the AIM with everything) has about 1,000
MAX_PAGE_PIXELS = 40_000_000  # one rendered page: A3 at 300 DPI is 17 million
MAX_IMAGE_PIXELS = 60_000_000  # one embedded figure, before it is decoded
MAX_IMAGES = 5000  # figures of one file
CHILD_MEMORY_BYTES = 1536 * 1024 * 1024  # address space of the parsing process; a 1,000-page handbook takes 300 MB
CHILD_CPU_SECONDS = 600  # 3,000 pages at the slowest measured 10 pages/s, doubled
CHILD_WALL_SECONDS = 900  # as above, on a machine that is busy with something else
LINE_BYTES = 32 * 1024 * 1024  # one message of the parsing process (one page); a dense page has 60 KB

# --- Ingestion: chunks ---------------------------------------------------------------------------------------

CHUNK_TOKENS = 800  # tokens of the embedding model, at most (seed 001)
CHUNK_OVERLAP = 100  # tokens carried over inside a section (seed 001)
MIN_LAST_CHUNK = 50  # characters: a shorter rest joins the chunk before it (seed 001)
MIN_SECTION = 200  # characters: a shorter section without a number joins its next sibling
MIN_SECTION_BODY = 50  # characters: a numbered heading with less beneath it joins what follows

# --- Ingestion: figures (seed 001) ---------------------------------------------------------------------------

FIGURE_MIN_PIXELS = 100  # width and height; smaller pictures are rules, logos and bullets
FIGURE_MIN_BYTES = 5 * 1024  # encoded as it is stored in the file
FIGURE_MAX_ASPECT = 10.0  # longer side by shorter side; beyond it is a rule or a border
FIGURE_LABEL_DISTANCE = 50.0  # points around the picture in which "Figure 15-1" may stand
FIGURE_CAPTION_DISTANCE = 80.0  # points below the picture in which its caption may stand
FIGURE_WEBP_BYTES = 500 * 1024  # a picture larger than this is kept as WebP
PAGE_DPI = 200  # dots an inch of a rendered page

# --- Ingestion: links between chunks and figures (seed 001) --------------------------------------------------

LINK_FIGURE_REF = 0.9  # the chunk names the figure
LINK_CAPTION_LEAST = 0.30  # least share of the caption's words that the chunk has
LINK_CAPTION_LETTERS = 4  # a word of fewer letters says nothing about what a caption is about
LINK_SAME_PAGE = 0.5  # the page alone: ranks last, never shown as evidence

# --- Ingestion: embeddings and jobs --------------------------------------------------------------------------

EMBED_BATCH = 50  # chunks a call (seed 001)
LEASE_SECONDS = 120  # a worker that says nothing for so long has lost its job
PROGRESS_SECONDS = 0.5  # least time between two writes of the progress; an eye sees no more
MAX_ATTEMPTS = 3  # starts of one job before the sweep gives it up
