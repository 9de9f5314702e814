"""Django REST framework: one model behind its three paging classes. django_rest.py PORT FOLDER"""
import sys
from pathlib import Path

import django
from django.conf import settings

port, folder = sys.argv[1], Path(sys.argv[2])
settings.configure(
    DEBUG=False, SECRET_KEY="interop", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder / "items.db"}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "django_filters", "drf_spectacular"],
    REST_FRAMEWORK={
        "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_FILTER_BACKENDS": [
            "django_filters.rest_framework.DjangoFilterBackend", "rest_framework.filters.SearchFilter",
            "rest_framework.filters.OrderingFilter"],
    })
django.setup()

from django.db import connection, models
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView
from rest_framework import pagination, routers, serializers, viewsets


class Item(models.Model):
    name = models.CharField(max_length=40)
    n = models.IntegerField()
    state = models.CharField(max_length=8, choices=[(s, s) for s in ["open", "held", "done"]], default="open")
    note = models.TextField(null=True, blank=True)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "items"
        ordering = ["id"]


class ItemSerializer(serializers.ModelSerializer):
    class Meta:
        model = Item
        fields = ["id", "name", "n", "state", "note", "made"]


class ByPage(pagination.PageNumberPagination):
    page_size = 10
    page_size_query_param = "page_size"
    max_page_size = 20


class ByOffset(pagination.LimitOffsetPagination):
    default_limit = 10
    max_limit = 20


class ByCursor(pagination.CursorPagination):
    page_size = 10
    ordering = "id"


def view(paging):
    return type("Items" + paging.__name__, (viewsets.ModelViewSet,), {
        "queryset": Item.objects.all(), "serializer_class": ItemSerializer, "pagination_class": paging,
        "filterset_fields": {"n": ["exact", "gte", "lte"], "state": ["exact", "in"], "name": ["exact", "icontains"]},
        "search_fields": ["name"], "ordering_fields": ["id", "n", "name"]})


router = routers.DefaultRouter()
for name, paging in [("pages", ByPage), ("offsets", ByOffset), ("cursors", ByCursor)]:
    router.register(name, view(paging), basename=name)
urlpatterns = [path("openapi.json", SpectacularAPIView.as_view()), path("", include(router.urls))]

with connection.schema_editor() as editor:
    editor.create_model(Item)
Item.objects.bulk_create(
    Item(name=f"item {i:02}", n=i * 7 % 31, state=["open", "held", "done"][i % 3], note=None if i % 4 else f"note {i}")
    for i in range(1, 46))

from wsgiref.simple_server import WSGIRequestHandler, make_server
from django.core.wsgi import get_wsgi_application


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments): pass


make_server("127.0.0.1", int(port), get_wsgi_application(), handler_class=Quiet).serve_forever()
