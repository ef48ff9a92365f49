#!/usr/bin/env bash
# Tests the clients in other languages, and the commands of docs/server.md that call the
# socket with curl, against bin/strata. What compiles TypeScript is installed into bin/, in
# the versions of package-lock.json. Where something is missing the script says so, and the
# exit status is 77: not run.
set -euo pipefail
cd "$(dirname "$0")/.."

. internal/tools/npm/install.sh
need "clients" node npm python3 curl
export STRATA=$PWD/bin/strata SCRIPTEDMODEL=$PWD/bin/scriptedmodel PYTHONDONTWRITEBYTECODE=1

echo "== Python"
PYTHONPATH=clients/python python3 -m unittest discover -s clients/python/tests

echo "== TypeScript"
there=bin/clients/typescript
mkdir -p "$there"
rm -rf "$there/dist"
cp -r clients/typescript/. "$there/"
install_packages "$there" "$there"
npm run --prefix "$there" --silent build
npm test --prefix "$there" --silent

echo "== curl"
home=$(mktemp -d)
export HOME=$home
server=
trap '[ -z "$server" ] || kill -INT "$server"; wait; rm -rf "$home"' EXIT
mkfifo "$home/serving"
"$STRATA" serve >"$home/serving" 2>"$home/log" &
server=$!
read -r _ <"$home/serving"
# The block of commands that stands first below "Calling it".
commands=$(awk '/^## /{there = $0 == "## Calling it"} there && /^```/{inside = !inside; if (!inside) exit; next} there && inside' docs/server.md)
answers=$(bash -euo pipefail -c "curl() { command curl -sS \"\$@\"; }; $commands")
echo "$answers"
grep -q 'Whiskerino' <<<"$(tail -n 1 <<<"$answers")"
