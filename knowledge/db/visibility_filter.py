"""The SQL condition for passages that anybody can find: published, neither deprecated nor superseded. Pure.

Tables of contents and indexes name everything and explain nothing, so they are not searched.
"""

# Of d(ocument) and c(hunk).
IN_FORCE = (
    "d.status = 'published' AND d.deprecated_at IS NULL AND d.superseded_by_id IS NULL"
    " AND c.kind NOT IN ('toc', 'index')"
)
