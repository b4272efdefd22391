"""The licenses of what the product installs, and whether each may be part of an AGPL-3.0 program.

`python -m tools.licenses` prints one line a license and fails for a package whose license is unknown or not listed
here. It reads what the installed packages say about themselves.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, metadata
from pathlib import Path
from typing import Final

REQUIREMENTS: Final = Path(__file__).parents[1] / "requirements.txt"
COMPATIBLE: Final = {
    "MIT": r"\bMIT\b",
    "BSD": r"\b0?BSD\b",
    "Apache-2.0": r"\bApache\b",
    "MPL-2.0": r"\bMPL\b|Mozilla Public License",
    "PSF-2.0": r"\bPSF\b|Python Software Foundation",
    "LGPL": r"\bLGPL|Lesser General Public",
    "AGPL-3.0": r"\bAGPL|AFFERO",
}
"""What a license calls itself, for those that the FSF lists as compatible with the GNU AGPL 3.0."""


def license_of(said: PackageMetadata) -> str | None:
    """The first of COMPATIBLE that a package names; None if it names none."""
    fields = ("License-Expression", "License", "Classifier")
    told = [text for field in fields for text in said.get_all(field) or ()]
    text = " ".join(one for one in told if "::" not in one or one.startswith("License ::"))
    return next((name for name, words in COMPATIBLE.items() if re.search(words, text, re.IGNORECASE)), None)


def required(path: Path = REQUIREMENTS) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        if found := re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==", line):
            yield found[1]


def main() -> int:
    by_license: dict[str, list[str]] = defaultdict(list)
    for name in required():
        by_license[license_of(metadata(name)) or "unknown or not compatible"].append(name)
    for license_name, names in sorted(by_license.items()):
        print(f"{license_name:26} {len(names):3}  {', '.join(names)}")
    return 1 if "unknown or not compatible" in by_license else 0


if __name__ == "__main__":
    sys.exit(main())
