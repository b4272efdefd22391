"""The kinds of source that the graph reads, in order: later ones build on the nodes of earlier ones."""

from typing import Final

from knowledge.graph.writing import GraphSource

from .claims import CLAIMS
from .documents import DOCUMENTS
from .standards import STANDARDS
from .terms import TERMS

SOURCES: Final[tuple[GraphSource, ...]] = (DOCUMENTS, STANDARDS, CLAIMS, TERMS)
