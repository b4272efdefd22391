from django.urls import path

from .views import accounts, arms, health, home, laboratory, operations, schools, searches, upkeep, vectors

app_name = "desk"
urlpatterns = [
    path("", home.home, name="home"),
    path("about/", home.about, name="about"),
    path("accounts/login/", accounts.SignIn.as_view(), name="login"),
    path("accounts/demo/", accounts.demo_sign_in, name="demo_sign_in"),
    path("accounts/logout/", accounts.SignOut.as_view(), name="logout"),
    path("accounts/", accounts.account, name="account"),
    path("accounts/password/", accounts.change_password, name="change_password"),
    path("accounts/everywhere/", accounts.sign_out_everywhere, name="sign_out_everywhere"),
    path("accounts/token/", accounts.change_token, name="change_token"),
    path("school/", schools.choose, name="school"),
    path("operations/", operations.index, name="operations"),
    path("operations/upload/", operations.upload, name="upload"),
    path("operations/jobs/", operations.jobs, name="jobs"),
    path("operations/documents/", operations.documents, name="documents"),
    path("operations/jobs/<uuid:job_id>/cancel/", operations.cancel, name="cancel_job"),
    path("operations/jobs/<uuid:job_id>/retry/", operations.retry, name="retry_job"),
    path("operations/jobs/<uuid:job_id>/start/", operations.start, name="start_job"),
    path("operations/jobs/<uuid:job_id>/first/", operations.first, name="move_job_up"),
    path("operations/vectors/", vectors.index, name="vectors"),
    path("operations/vectors/change/", vectors.change, name="change_vectors"),
    path("operations/extract/<uuid:document_id>/", operations.extract, name="extract"),
    path("operations/search/", laboratory.index, name="laboratory"),
    path("operations/searches/", searches.index, name="searches"),
    path("operations/arms/", arms.index, name="arms"),
    path("operations/costs/", searches.costs, name="costs"),
    path("operations/editions/", upkeep.index, name="upkeep"),
    path("operations/documents/<uuid:document_id>/", upkeep.document, name="upkeep_document"),
    path("operations/documents/<uuid:document_id>/<slug:what>/", upkeep.change, name="change_document"),
    path("healthz/", health.alive, name="alive"),
    path("readyz/", health.ready, name="ready"),
    path("metrics", health.metrics, name="metrics"),
]
