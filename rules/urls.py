from django.urls import path

from . import views

app_name = "rules"
urlpatterns = [
    path("", views.index, name="index"),
    path("ask/", views.ask, name="ask"),
    path("asked/<uuid:turn_id>/", views.asked, name="asked"),
    path("asked/<uuid:turn_id>/again/", views.again, name="again"),
    path("conversations/<uuid:conversation_id>/forget/", views.forget, name="forget"),
    path("compare/", views.compare, name="compare"),
    path("overview/", views.overview, name="overview"),
    path("countries/<str:code>/", views.country, name="country"),
    path("answers/<uuid:answer_id>/", views.answer, name="answer"),
]
