"""One ASGI application for HTTP and websockets."""

import logging
import os
import resource
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

from django.conf import settings  # noqa: E402  (as well)

from exams.conf import SWITCH_SECONDS  # noqa: E402  (needs the app registry)
from exams.realtime.routing import websocket_urlpatterns  # noqa: E402  (as well)
from exams.realtime.websocket_errors import or_reconnect  # noqa: E402  (needs the app registry)

from .body_limit import limit_bodies  # noqa: E402  (as well)
from .logs import HideSecrets  # noqa: E402  (as well)

logging.getLogger("uvicorn.access").addFilter(HideSecrets())  # it has a handler of its own
sys.setswitchinterval(min(SWITCH_SECONDS, sys.getswitchinterval()))
# Each file of an upload is open until the answer, several may come at once, and many systems allow a process 1,024.
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
wanted = 8 * settings.DATA_UPLOAD_MAX_NUMBER_FILES
if soft < wanted:
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard < 0 else min(wanted, hard), hard))

application = ProxyHeadersMiddleware(
    limit_bodies(
        ProtocolTypeRouter(
            {"http": http, "websocket": or_reconnect(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))}
        )
    ),
    trusted_hosts=list(environment.trusted_proxies),
)
