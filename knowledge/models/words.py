"""The inverted index: which word stands in which passages. Kept by `knowledge.retrieval.candidates.posting_store`.

A passage is known here by the number that its row has from the database (`knowledge_chunk.ordinal`, which the models do
not know), and passages of neighbouring numbers make a block. Triggers of the database write down which blocks have
changed, whoever changed them.
"""

from django.db import models


class Posting(models.Model):
    """The passages of one owner and one block in which a word stands. `packed` is as `retrieval.words` reads it."""

    pk = models.CompositePrimaryKey("owner", "lexeme", "block")
    owner = models.BigIntegerField(help_text="The tenant; 0 = the shared library.")
    lexeme = models.TextField(db_collation="C")
    block = models.IntegerField()
    passages = models.IntegerField()
    packed = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.lexeme}: {self.passages}"


class Extent(models.Model):
    """How many passages of a document a block holds that can be found."""

    pk = models.CompositePrimaryKey("block", "document_id")
    block = models.IntegerField()
    document_id = models.UUIDField()
    owner = models.BigIntegerField()
    passages = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.document_id}: {self.passages}"


class StaleBlock(models.Model):
    """A block of which something changed since its words were written down."""

    block = models.IntegerField()

    def __str__(self) -> str:
        return str(self.block)


class WordIndex(models.Model):
    """The state of all lists: another name each time that some are written anew. There is one row, or none yet."""

    version = models.UUIDField()

    def __str__(self) -> str:
        return str(self.version)
