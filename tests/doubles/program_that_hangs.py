"""A program for `knowledge.ingestion.forking` that never says a word."""

import time


def run(arguments: list[str]) -> int:
    time.sleep(600)
    return 0
