#!/usr/bin/env bash
# Runs the conformance suite of the protocol against the handler that strata serve has at
# /mcp, with the fixtures added that the suite calls, and then drives it and strata mcp with
# the TypeScript SDK (sdk.mjs). The suite, and a Node 22 for where
# there is an older one, are installed into bin/, in the versions of package-lock.json.
# Without node and npm there is nothing to run it with: the script says so, and the exit
# status is 77: not run. What fails is listed in expected.yml: if that list is not exactly
# what fails, so does this.
set -euo pipefail
cd "$(dirname "$0")/../../.."

. internal/tools/npm/install.sh
need "conformance" node npm

here=server/mcp/conformance
there=bin/conformance
install_packages "$here" "$there"
node=node
if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 22 ]; then
	node=$PWD/$there/node_modules/node/bin/node
	# What npm would run at installation, of this package alone.
	[ -x "$node" ] || (cd "$there/node_modules/node" && node installArchSpecificPackage)
fi

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -INT "$server"; wait; rm -rf "$work"' EXIT
mkfifo "$work/address"
bin/conformance-server >"$work/address" &
server=$!
read -r address <"$work/address"
mkdir "$work/home"
node "$here/sdk.mjs" bin/strata "$work/home" "$address"
suite=$PWD/$there/node_modules/@modelcontextprotocol/conformance/dist/index.js
expected=$PWD/$here/expected.yml
cd "$work" # it leaves its results where it is started
"$node" "$suite" server --url "$address" --expected-failures "$expected"
