from django.urls import path

from . import views
from .instruction import views as instruction

app_name = "exams"
urlpatterns = [
    path("", views.desk, name="desk"),
    path("begin/", views.begin, name="begin"),
    path("preview/", views.preview, name="preview"),
    path("compare/", views.compare, name="compare"),
    path("coverage/", views.coverage, name="coverage"),
    path("class/", instruction.class_page, name="class"),
    path("class/<int:student_id>/", instruction.student_page, name="class-student"),
    path("class/<int:student_id>/assign/", instruction.assign, name="assign"),
    path("class/<int:student_id>/withdraw/", instruction.withdraw_assigned, name="withdraw-assigned"),
    path("class/orals/<uuid:exam_id>/", instruction.oral_page, name="class-oral"),
    path("class/orals/<uuid:exam_id>/comment/", instruction.comment, name="comment"),
    path("sharing/", instruction.sharing_page, name="sharing"),
    path("sharing/<slug:slug>/", instruction.seen_page, name="seen"),
    path("sharing/<slug:slug>/consent/", instruction.consent, name="consent"),
    path("assigned/", instruction.assigned, name="assigned"),
    path("<uuid:exam_id>/", views.room, name="room"),
    path("<uuid:exam_id>/report/", views.report, name="report"),
    path("<uuid:exam_id>/report.pdf", views.report_pdf, name="report-pdf"),
    path("<uuid:exam_id>/download/", views.download, name="download"),
    path("<uuid:exam_id>/dispute/", views.dispute, name="dispute"),
    path("<uuid:exam_id>/delete/", views.delete, name="delete"),
]
