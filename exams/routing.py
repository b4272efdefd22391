from django.urls import URLPattern, path

from .consumers import ExamConsumer

websocket_urlpatterns: list[URLPattern] = [path("ws/exams/<uuid:exam_id>/", ExamConsumer.as_asgi())]
