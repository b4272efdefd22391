"""The product's settings, read from an environment that belongs to the tests."""

import os

from tests.embedded import prepare_environment

prepare_environment(os.environ)

from heydpe.settings import *  # noqa: E402, F403  (it reads the environment when imported)

# The product's own takes a third of a second for each password, and tests make them by the hundred.
PASSWORD_HASHERS = [f"django.contrib.auth.hashers.{name}PasswordHasher" for name in ("MD5", "PBKDF2")]
