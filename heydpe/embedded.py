"""What the environment leaves out (database, Redis) becomes an embedded service's address. Starts nothing."""

import os
import secrets
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path

from .env import read_environment
from .services import addresses_for
from .services.files import make_folders
from .services.places import places_for


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


def give_secret_key(environ: MutableMapping[str, str], *, make: bool) -> None:
    """The key of the embedded services' data directory, where no other is set. A host with a database of its own sets
    its own key. Without `make` nothing is written: the key is taken if there is one."""
    data_dir = read_environment(environ).data_dir
    if environ.get("SECRET_KEY") or environ.get("DATABASE_URL"):
        return
    if make:
        make_folders(places_for(data_dir))
    if make or (data_dir / "secret_key").exists():
        environ["SECRET_KEY"] = stored_secret_key(data_dir)


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
