from django.urls import path

from .views import accounts, arms, health, home, jobs, laboratory, operations, searches, upkeep, vectors

app_name = "desk"
urlpatterns = [
    path("", home.home_page, name="home"),
    path("about/", home.about_page, name="about"),
    path("school/", home.choose_school, name="school"),
    path("accounts/login/", accounts.SignIn.as_view(), name="login"),
    path("accounts/demo/", accounts.demo_sign_in, name="demo_sign_in"),
    path("accounts/logout/", accounts.SignOut.as_view(), name="logout"),
    path("accounts/", accounts.account_page, name="account"),
    path("accounts/password/", accounts.change_password, name="change_password"),
    path("accounts/everywhere/", accounts.sign_out_everywhere, name="sign_out_everywhere"),
    path("accounts/token/", accounts.change_token, name="change_token"),
    path("operations/", operations.operations_page, name="operations"),
    path("operations/upload/", operations.upload_files, name="upload"),
    path("operations/jobs/", jobs.jobs_page, name="jobs"),
    path("operations/jobs/now/", jobs.job_list, name="jobs_now"),
    path("operations/jobs/<uuid:job_id>/", jobs.job_page, name="job"),
    path("operations/documents/", operations.document_list, name="documents"),
    path("operations/jobs/<uuid:job_id>/cancel/", jobs.change_job, {"act": "cancel"}, name="cancel_job"),
    path("operations/jobs/<uuid:job_id>/retry/", jobs.change_job, {"act": "retry"}, name="retry_job"),
    path("operations/jobs/<uuid:job_id>/start/", jobs.change_job, {"act": "start"}, name="start_job"),
    path("operations/jobs/<uuid:job_id>/first/", jobs.change_job, {"act": "first"}, name="move_job_up"),
    path("operations/vectors/", vectors.vectors_page, name="vectors"),
    path("operations/vectors/change/", vectors.change_vectors, name="change_vectors"),
    path("operations/extract/<uuid:document_id>/", operations.extract_claims, name="extract"),
    path("operations/search/", laboratory.laboratory_page, name="laboratory"),
    path("operations/searches/", searches.searches_page, name="searches"),
    path("operations/arms/", arms.arms_page, name="arms"),
    path("operations/costs/", searches.costs_page, name="costs"),
    path("operations/editions/", upkeep.upkeep_page, name="upkeep"),
    path("operations/documents/<uuid:document_id>/", upkeep.document_page, name="upkeep_document"),
    path(
        "operations/documents/<uuid:document_id>/<slug:what>/", upkeep.change_document, name="change_document"
    ),
    path("healthz/", health.alive, name="alive"),
    path("readyz/", health.ready, name="ready"),
    path("metrics", health.metrics, name="metrics"),
]
