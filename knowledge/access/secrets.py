"""Secrets that are shown once and stored as digests.

A secret has 240 random bits, so a plain SHA-256 cannot be guessed back. A row is found by its digest: how long the
look-up takes tells nothing about the secret.
"""

import secrets
from hashlib import sha256


def new_secret(prefix: str = "") -> str:
    return prefix + secrets.token_urlsafe(30)


def digest_of(secret: str) -> str:
    return sha256(secret.strip().encode("utf-8", "surrogatepass")).hexdigest()
