"""What the environment leaves out (database, Redis) becomes an embedded service's address. Starts nothing."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .env import read_environment
from .services import addresses_for


@dataclass(frozen=True, slots=True)
class Embedded:
    """`missing` are the variables to set; where it is empty all is configured and nothing is started."""

    data_dir: Path
    missing: Mapping[str, str]


def embedded_for(environ: Mapping[str, str]) -> Embedded:
    data_dir = read_environment(environ).data_dir
    addresses = addresses_for(data_dir)
    wanted = {"DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url}
    return Embedded(data_dir, {name: url for name, url in wanted.items() if not environ.get(name)})


def stored_secret_key(data_dir: Path) -> str:
    """The data directory's own key, made once: a restart signs nobody out."""
    path = data_dir / "secret_key"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip() or _written(path)
    os.close(descriptor)
    return _written(path)


def _written(path: Path) -> str:
    key = secrets.token_urlsafe(50)
    path.write_text(key)
    return key
