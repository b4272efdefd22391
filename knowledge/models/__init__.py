"""The tables of the library: tenants, documents, standards, the concept graph, items, and logs of its use."""

from .accounts import ApiKey, Invitation, InvitationMail, UserSession
from .documents import (
    Chapter,
    Chunk,
    ChunkEmbedding,
    ChunkImageLink,
    ChunkTask,
    Document,
    DocumentEvent,
    EditionPlace,
    Image,
    Page,
)
from .glossary import Abbreviation
from .graph import Concept, ConceptChunkEvidence, ConceptRelation, GraphReading
from .items import AnchorState, Artifact, Item, ItemReport, KeyPoint, MixUp
from .standards import AcsArea, AcsElement, AcsTask, Standard
from .telemetry import (
    CurrencyReport,
    EmbeddingCache,
    IngestionJob,
    LibraryGeneration,
    ModelCallCount,
    ModelFailure,
    ModelSpending,
    ModelUse,
    Note,
    RetrievalComparison,
    RetrievalLog,
    RetrievalReport,
    VectorSet,
)
from .tenancy import Membership, Tenant
from .words import Extent, Posting, StaleBlock, WordIndex
