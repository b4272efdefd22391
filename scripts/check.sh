#!/usr/bin/env bash
# Every check that needs no server (the audit asks one, and is skipped without a network). All of them run; the exit status says whether one failed.
set -uo pipefail
cd "$(dirname "$0")/.."
names=() pids=() failed=()
said=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$said"' EXIT

step() { # beside the others: the longest one, the types, uses one core
    names+=("$1")
    "${@:2}" >"$said/$1" 2>&1 &
    pids+=($!)
}

deployed() {
    # With the settings of a real host, so that what is missing there shows here.
    env SECRET_KEY="$(.venv/bin/python -c 'import secrets; print(secrets.token_urlsafe(60))')" \
        DEBUG= ALLOWED_HOSTS=exam.example.org DATABASE_URL=postgresql://db.example.org/heydpe \
        REDIS_URL=redis://redis.example.org/0 LLM_PROVIDER=offline EMBEDDING_PROVIDER=local \
        .venv/bin/python manage.py check --deploy --fail-level WARNING
}

step format .venv/bin/ruff format --check .
step lint .venv/bin/ruff check .
step types .venv/bin/mypy .
step imports .venv/bin/lint-imports
step migrations .venv/bin/python -W ignore manage.py makemigrations --check --dry-run
step deployment deployed
step licenses .venv/bin/python -m tools.licenses
for at in "${!names[@]}"; do
    printf '%-12s ' "${names[at]}"
    if wait "${pids[at]}"; then
        echo ok
    else
        echo failed
        cat "$said/${names[at]}"
        failed+=("${names[at]}")
    fi
done
printf '%-12s ' audit
.venv/bin/python -m tools.audit || failed+=(audit)
.venv/bin/python -m tools.house
[ ${#failed[@]} -eq 0 ] || { echo "Failed: ${failed[*]}"; exit 1; }
