"""All URLs."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import DefaultRouter

from curation.api import ClaimViewSet
from desk import api as desk_api
from desk.views.home import admin_home_page
from desk.views.people import accounts
from exams.api import ExamViewSet
from knowledge import api as knowledge_api
from rules import api as rules_api

router = DefaultRouter()
router.register("documents", knowledge_api.DocumentViewSet, basename="document")
router.register("jobs", knowledge_api.JobViewSet, basename="job")
router.register("elements", knowledge_api.ElementViewSet, basename="element")
router.register("claims", ClaimViewSet, basename="claim")
router.register("exams", ExamViewSet, basename="exam")

api = [
    path("token/", desk_api.TokenView.as_view(), name="token"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("frames/", desk_api.FramesView.as_view(), name="frames"),
    path("search/", knowledge_api.SearchView.as_view(), name="search"),
    path("tables/", knowledge_api.TablesView.as_view(), name="tables"),
    path("tables/<slug:domain>/", knowledge_api.TableView.as_view(), name="table"),
    path("rules/ask/", rules_api.AskView.as_view(), name="rules-ask"),
    path("rules/compare/", rules_api.CompareView.as_view(), name="rules-compare"),
    *router.urls,
]

urlpatterns = [
    # Browsers ask for it on pages that name no icon, as the admin's.
    path("favicon.ico", RedirectView.as_view(url=f"{settings.STATIC_URL}img/icon.svg", permanent=True)),
    path("", include("desk.urls")),
    path("exams/", include("exams.urls")),
    path("library/", include("knowledge.urls")),
    path("rules/", include("rules.urls")),
    path("admin/", admin_home_page),
    path("admin/password_change/", RedirectView.as_view(pattern_name="desk:account")),
    path("admin/login/", accounts.admin_sign_in),
    path("admin/", admin.site.urls),
    path("api/v1/", include((api, "api"))),
]

handler400 = "desk.errors.bad_request"
handler403 = "desk.errors.forbidden"
handler404 = "desk.errors.not_found"
handler500 = "desk.errors.server_error"
