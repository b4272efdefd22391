"""Under which user PostgreSQL runs: it refuses root, so root starts it as nobody, best in a namespace."""

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .errors import ServicesError

NOBODY = 65534
# A user namespace in which root is seen as nobody: files stay root's outside, and nothing need be given away.
NAMESPACE = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}", "--")


@dataclass(frozen=True, slots=True)
class Account:
    """`prefix` goes before the server's command; `uid` is whom it becomes, None = it stays who we are."""

    prefix: tuple[str, ...] = ()
    uid: int | None = None


def account_for(folder: Path, binaries: Path) -> Account:
    """How to start PostgreSQL here; raises ServicesError where root has no way."""
    if os.geteuid() != 0 and _has_name(os.geteuid()):
        return Account()
    if namespace_works():
        return Account(prefix=NAMESPACE)
    if os.geteuid() != 0:
        return Account()
    for path in (folder, binaries):
        _check_reachable(path)
    return Account(uid=NOBODY)


def namespace_works() -> bool:
    if shutil.which(NAMESPACE[0]) is None:
        return False
    tried = subprocess.run([*NAMESPACE, "id", "-u"], capture_output=True, text=True, check=False)
    return tried.stdout.strip() == str(NOBODY)


def give_to(account: Account, folder: Path) -> None:
    """Make the folder and all in it belong to whom the server runs as."""
    owner = os.geteuid() if account.uid is None else account.uid
    if os.geteuid() != 0 or folder.stat().st_uid == owner:
        return
    os.chown(folder, owner, -1)
    for root, folders, files in os.walk(folder):
        for name in folders + files:
            os.lchown(os.path.join(root, name), owner, -1)


def _has_name(uid: int) -> bool:
    """initdb looks its user up and fails for one without an entry, as in some containers."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _check_reachable(path: Path) -> None:
    closed = [str(parent) for parent in [path, *path.parents] if not parent.stat().st_mode & 0o001]
    if closed:
        raise ServicesError(
            f"PostgreSQL does not run as root, and the user nobody cannot enter {closed[-1]}. Run as an "
            "ordinary user, or move project and HEYDPE_DATA_DIR to where everybody may enter, such as /srv."
        )
