from celery import shared_task

from . import settling


@shared_task(name="exams.sweep_answers")
def sweep_answers() -> None:
    settling.sweep_answers()


@shared_task(name="exams.close_idle_exams")
def close_idle_exams() -> None:
    settling.close_idle_exams()
