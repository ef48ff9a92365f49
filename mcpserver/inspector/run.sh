#!/usr/bin/env bash
# Drives strata mcp with the MCP Inspector, a client that is not ours, and
# checks what it gets. The Inspector is installed into bin/, in the versions of
# package-lock.json. Without node and npm there is nothing to run it with: the
# script says so, and the exit status is 77: not run.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in node npm; do
	if ! command -v "$tool" >/dev/null; then
		echo "MCP Inspector not run: $tool is not installed (Node 20 or newer brings node and npm)"
		exit 77
	fi
done

here=mcpserver/inspector
there=bin/inspector
if ! cmp -s "$here/package-lock.json" "$there/installed.json"; then
	mkdir -p "$there"
	cp "$here/package.json" "$here/package-lock.json" "$there/"
	npm ci --prefix "$there" --ignore-scripts --no-audit --no-fund --loglevel=error
	cp "$here/package-lock.json" "$there/installed.json"
fi

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
node "$here/check.mjs" "$there/node_modules/.bin/mcp-inspector" bin/strata "$home"
