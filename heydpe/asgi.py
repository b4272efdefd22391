"""HTTP and websockets behind one application."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
http = get_asgi_application()

from exams.reconnect import or_reconnect  # noqa: E402  (needs the app registry)
from exams.routing import websocket_urlpatterns  # noqa: E402  (as well)

application = ProtocolTypeRouter(
    {"http": http, "websocket": or_reconnect(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))}
)
