"""The addresses of embedded services for what the environment leaves out, and the data directory's secret key.

Starts nothing.
"""

import os
import secrets
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path

from heydpe.env import read_environment

from .paths import make_folders, paths_for


@dataclass(frozen=True, slots=True)
class Embedded:
    """`missing` are the variables to set; if it is empty, everything is configured and nothing needs a start."""

    data_dir: Path
    missing: Mapping[str, str]


def embedded_for(environ: Mapping[str, str]) -> Embedded:
    data_dir = read_environment(environ).data_dir
    addresses = paths_for(data_dir).addresses
    wanted = {"DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url}
    return Embedded(data_dir, {name: url for name, url in wanted.items() if not environ.get(name)})


def set_secret_key(environ: MutableMapping[str, str], *, make: bool) -> None:
    """Set SECRET_KEY to the data directory's own key if neither it nor DATABASE_URL is set: a host with a database of
    its own sets its own key. Without `make` nothing is written, and the key is set only if there is one."""
    data_dir = read_environment(environ).data_dir
    if environ.get("SECRET_KEY") or environ.get("DATABASE_URL"):
        return
    if make:
        make_folders(paths_for(data_dir))
    if make or (data_dir / "secret_key").exists():
        environ["SECRET_KEY"] = stored_secret_key(data_dir)


def stored_secret_key(data_dir: Path) -> str:
    """The data directory's own key, made once: a restart signs nobody out."""
    path = data_dir / "secret_key"
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if key := path.read_text().strip():
            return key
    key = secrets.token_urlsafe(50)
    path.write_text(key)
    return key
