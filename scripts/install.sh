#!/usr/bin/env bash
# Make .venv and install the pinned packages, once: a stamp keyed by the pins says if there is anything to do.
# Usage: scripts/install.sh run|dev|bench
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { printf '%s\n' "$1" >&2; exit 1; }

find_python() {
    local name
    for name in python3.11 python3 python3.12 python3.13; do
        if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
            command -v "$name"
            return
        fi
    done
    fail "Python 3.11 or newer is needed and was not found. On Debian or Ubuntu: apt-get install python3 python3-venv"
}

make_venv() {
    local python
    python=$(find_python)
    echo "Making .venv with $("$python" --version)"
    rm -rf .venv
    "$python" -m venv .venv >/dev/null 2>&1 || {
        rm -rf .venv
        fail "$python cannot make a virtual environment. On Debian or Ubuntu: apt-get install python3-venv"
    }
}

kind=${1:-run}
case $kind in
    run) pins=(requirements.txt) ;;
    dev) pins=(requirements.txt requirements-dev.txt) ;;
    bench) pins=(requirements.txt requirements-dev.txt requirements-bench.txt) ;;
    *) fail "Usage: scripts/install.sh run|dev|bench" ;;
esac
files=()
for pin in "${pins[@]}"; do files+=(-r "$pin"); done

# One install at a time: `make run` and `make test` may be started together.
exec 9>.install.lock
command -v flock >/dev/null && flock 9

.venv/bin/python -c '' 2>/dev/null || make_venv
key=$(cat "${pins[@]}" | cksum)-$(.venv/bin/python --version)
stamp=.venv/installed-$kind
[ "$(cat "$stamp" 2>/dev/null)" = "$key" ] && exit 0

start=$SECONDS
count=$(grep -c '^[A-Za-z]' "${pins[@]}" | awk -F: '{n += $NF} END {print n}')
echo "Installing $count packages (once; about a minute)"
# Everything is pinned with hashes and nothing else may come along, so --no-deps: some packages ask for gigabytes
# that are not used here (requirements-excluded.txt).
.venv/bin/python -m pip install --quiet --no-deps --require-hashes --no-input --disable-pip-version-check \
    --no-warn-conflicts --root-user-action=ignore "${files[@]}" \
    || fail "The installation failed; the reason is in the lines above. Fix that, then run it again."
printf '%s' "$key" >"$stamp"
echo "Installed in $((SECONDS - start)) s"
