"""Which passages of which documents can be found at all, whoever searches: one condition. Pure.

Published, neither deprecated nor superseded. A table of contents and an index name everything and say nothing: they are
not passages.
"""

# Of d(ocument) and c(hunk).
IN_FORCE = (
    "d.status = 'published' AND d.deprecated_at IS NULL AND d.superseded_by_id IS NULL"
    " AND c.kind NOT IN ('toc', 'index')"
)
