"""`manage.py retrieval_report`: the earlier name of `kb_report`."""

from desk.management.commands.kb_report import Command

__all__ = ["Command"]
