#!/usr/bin/env bash
# Lock requirements*.in into requirements*.txt: every version pinned, every file with its hash.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v uv >/dev/null || { echo "uv is needed to lock: pip install uv" >&2; exit 1; }
options=(--quiet --generate-hashes --python-version 3.11 --excludes requirements-excluded.txt --no-header --no-emit-index-url)
uv pip compile "${options[@]}" "$@" requirements.in -o requirements.txt
uv pip compile "${options[@]}" "$@" requirements-dev.in -o requirements-dev.txt
uv pip compile "${options[@]/requirements-excluded.txt/\/dev\/null}" "$@" requirements-bench.in -o requirements-bench.txt
echo "Locked: $(grep -c '^[A-Za-z]' requirements.txt) packages to run, $(grep -c '^[A-Za-z]' requirements-dev.txt) to develop"
