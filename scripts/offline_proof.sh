#!/usr/bin/env bash
# Prove that, once installed, `make test` and `make run` need no network: both run in a network namespace that has only
# its own loopback, without vendors' keys. Needs `unshare` (util-linux), not root.
# Usage: scripts/offline_proof.sh [pytest arguments]
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" != --inside ]; then
    command -v unshare >/dev/null || { echo "unshare (util-linux) is needed for this proof." >&2; exit 1; }
    namespace=(unshare --net)
    [ "$(id -u)" -eq 0 ] || namespace=(unshare --net --map-root-user)
    exec env -u ANTHROPIC_API_KEY -u OPENAI_API_KEY -u COHERE_API_KEY -u DATABASE_URL -u REDIS_URL \
        -u http_proxy -u https_proxy -u HTTP_PROXY -u HTTPS_PROXY -u ALL_PROXY \
        "${namespace[@]}" "$0" --inside "$@"
fi
shift

port=${PORT:-8000}
data=$(mktemp -d)
run=
finish() {
    [ -n "$run" ] && kill -TERM "$run" 2>/dev/null && wait "$run" || true
    rm -rf "$data"
}
trap finish EXIT

.venv/bin/python scripts/loopback_only.py

echo "1. make test"
make test ARGS="${*:-}"

echo "2. make run, from an empty data directory"
HEYDPE_DATA_DIR="$data/var" PORT=$port make run >"$data/output" 2>&1 &
run=$!
for _ in $(seq 300); do
    grep -q "is running at" "$data/output" && break
    kill -0 "$run" 2>/dev/null || break
    sleep 1
done
cat "$data/output"
.venv/bin/python - "$port" <<'PYTHON'
import sys, urllib.request
address = f"http://127.0.0.1:{sys.argv[1]}/accounts/login/"
with urllib.request.urlopen(address, timeout=10) as page:
    print(f"{address} answers with status {page.status}")
PYTHON
kill -TERM "$run"
wait "$run" || true # make itself says that it was asked to stop
run=
grep "Everything is kept" "$data/output"
echo "Proved: both commands ran where no address but 127.0.0.1 can be reached."
