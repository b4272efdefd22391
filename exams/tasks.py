from celery import shared_task

from exams.bank.anchor_jobs import request_anchoring
from exams.exchange import answer_processing, session
from exams.experiments import shadow_comparison
from exams.oversight import sample_check


@shared_task(name="exams.sweep_answers")
def sweep_answers() -> None:
    session.end_exams_of_leavers()  # first: their answers are not assessed any more
    answer_processing.sweep_answers()


@shared_task(name="exams.close_idle_exams")
def close_idle_exams() -> None:
    answer_processing.close_idle_exams()


@shared_task(name="exams.compare_arms")
def compare_arms() -> None:
    shadow_comparison.compare_arms()


@shared_task(name="exams.check_sample")
def check_sample() -> None:
    sample_check.check_sample()


@shared_task(name="exams.anchor_items")
def anchor_items() -> None:
    request_anchoring()
