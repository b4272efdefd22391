"""One ASGI application for HTTP and websockets."""

import logging
import os
import sys

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from .env import NO_SECRET_KEY, read_environment

environment = read_environment()
if environment.lacks_secret_key:
    sys.exit(NO_SECRET_KEY)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
http = get_asgi_application()

from exams.conf import SWITCH_SECONDS  # noqa: E402  (needs the app registry)
from exams.realtime.routing import websocket_urlpatterns  # noqa: E402  (as well)
from exams.realtime.websocket_errors import or_reconnect  # noqa: E402  (needs the app registry)

from .body_limit import limit_bodies  # noqa: E402  (as well)
from .logs import HideSecrets  # noqa: E402  (as well)

logging.getLogger("uvicorn.access").addFilter(HideSecrets())  # it has a handler of its own
sys.setswitchinterval(min(SWITCH_SECONDS, sys.getswitchinterval()))

application = ProxyHeadersMiddleware(
    limit_bodies(
        ProtocolTypeRouter(
            {"http": http, "websocket": or_reconnect(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))}
        )
    ),
    trusted_hosts=list(environment.trusted_proxies),
)
