from celery import shared_task

from . import arms, settling
from .bank.anchor_runs import anchor_libraries


@shared_task(name="exams.sweep_answers")
def sweep_answers() -> None:
    settling.sweep_answers()


@shared_task(name="exams.close_idle_exams")
def close_idle_exams() -> None:
    settling.close_idle_exams()


@shared_task(name="exams.compare_arms")
def compare_arms() -> None:
    arms.compare_arms()


@shared_task(name="exams.anchor_items")
def anchor_items() -> None:
    anchor_libraries()
