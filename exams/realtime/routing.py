from django.urls import URLPattern, path, re_path

from exams.realtime.consumer import ExamConsumer, NoSuchRoom

websocket_urlpatterns: list[URLPattern] = [
    path("ws/exams/<uuid:exam_id>/", ExamConsumer.as_asgi()),
    re_path("", NoSuchRoom.as_asgi()),
]
