"""Vectors go to the server as bytes."""

import struct
from dataclasses import dataclass

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg.adapt import Dumper
from psycopg.pq import Format


@dataclass(frozen=True, slots=True)
class Sent:
    """A vector for a cursor of psycopg; the server tells the type from the statement."""

    numbers: NDArray[np.float32]


class _AsBytes(Dumper):
    """As `vector_recv` of pgvector reads it: how many numbers, nothing, and these."""

    format = Format.BINARY

    def dump(self, sent: Sent) -> bytes:
        return struct.pack(">HH", len(sent.numbers), 0) + sent.numbers.tobytes()


def teach_connections() -> None:
    """Every connection that is made from now on can send them."""
    psycopg.adapters.register_dumper(Sent, _AsBytes)
