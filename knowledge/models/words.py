"""The inverted index: which word occurs in which passages. `knowledge.library_version` writes it, searches read it.

A passage is known here by the number that the database gives its row (`knowledge_chunk.ordinal`, which Django's models
do not have). Passages of neighboring numbers form a block; database triggers note which blocks changed.
"""

from django.db import models


class Posting(models.Model):
    """The passages of one owner and one block in which a word occurs; `retrieval.scoring` decodes `packed`."""

    pk = models.CompositePrimaryKey("owner", "lexeme", "block")
    owner = models.BigIntegerField(help_text="The tenant; 0 = the shared library.")
    lexeme = models.TextField(db_collation="C")
    block = models.IntegerField()
    passages = models.IntegerField()
    packed = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.lexeme}: {self.passages}"


class Extent(models.Model):
    """How many findable passages of a document a block holds."""

    pk = models.CompositePrimaryKey("block", "document_id")
    block = models.IntegerField()
    document_id = models.UUIDField()
    owner = models.BigIntegerField()
    passages = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.document_id}: {self.passages}"


class StaleBlock(models.Model):
    """A block that changed since its words were indexed."""

    block = models.IntegerField()

    def __str__(self) -> str:
        return str(self.block)


class WordIndex(models.Model):
    """The version of all lists: a new one each time some are rewritten. There is one row, or none yet."""

    version = models.UUIDField()

    def __str__(self) -> str:
        return str(self.version)
