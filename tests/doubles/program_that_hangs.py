"""A program for `knowledge.ingestion.parsing.fork_server` that never says a word."""

import time


def run(arguments: list[str]) -> int:
    time.sleep(600)
    return 0
