#!/usr/bin/env bash
# Drives strata mcp with the MCP Inspector, a client that is not ours, and
# checks what it gets. The Inspector is installed into bin/, in the versions of
# package-lock.json. Without node and npm there is nothing to run it with: the
# script says so, and the exit status is 77: not run.
set -euo pipefail
cd "$(dirname "$0")/../../.."

. internal/tools/npm/install.sh
need "MCP Inspector" node npm

here=server/mcp/inspector
there=bin/inspector
install_packages "$here" "$there"

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
node "$here/check.mjs" "$there/node_modules/.bin/mcp-inspector" bin/strata "$home"
