from celery import shared_task

from . import arms, settling


@shared_task(name="exams.sweep_answers")
def sweep_answers() -> None:
    settling.sweep_answers()


@shared_task(name="exams.close_idle_exams")
def close_idle_exams() -> None:
    settling.close_idle_exams()


@shared_task(name="exams.compare_arms")
def compare_arms() -> None:
    arms.compare_arms()
