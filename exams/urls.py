from django.urls import path

from . import views

app_name = "exams"
urlpatterns = [
    path("", views.desk, name="desk"),
    path("begin/", views.begin, name="begin"),
    path("preview/", views.preview, name="preview"),
    path("compare/", views.compare, name="compare"),
    path("coverage/", views.coverage, name="coverage"),
    path("<uuid:exam_id>/", views.room, name="room"),
    path("<uuid:exam_id>/report/", views.report, name="report"),
    path("<uuid:exam_id>/report.pdf", views.report_pdf, name="report-pdf"),
    path("<uuid:exam_id>/download/", views.download, name="download"),
    path("<uuid:exam_id>/dispute/", views.dispute, name="dispute"),
    path("<uuid:exam_id>/delete/", views.delete, name="delete"),
]
