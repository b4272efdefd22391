from django.urls import path

from . import views

app_name = "library"
urlpatterns = [
    path("", views.index, name="index"),
    path("<uuid:document_id>/", views.document, name="document"),
    path("<uuid:document_id>/chapters/", views.chapters, name="chapters"),
    path("<uuid:document_id>/pages/<int:number>/", views.page, name="page"),
    path("<uuid:document_id>/pages/<int:number>.webp", views.page_picture, name="page_picture"),
    path("passages/<uuid:chunk_id>/", views.passage, name="passage"),
    path("search/", views.search_page, name="search"),
    path("tables/", views.tables, name="tables"),
    path("tables/<slug:domain>/", views.table, name="table"),
    path("graph/", views.graph, name="graph"),
    path("graph/<uuid:node_id>/", views.graph_node, name="graph_node"),
    path("figures/<uuid:image_id>/", views.figure, name="figure"),
]
