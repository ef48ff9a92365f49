#!/usr/bin/env bash
# Drives memory with the memory tool of Anthropic's own SDK: its helper hands the calls
# to strata memory-tool and to a server, and what they answer is compared with the SDK's
# own files on a disk. The SDK is installed into bin/, in the versions of
# package-lock.json. Without node and npm there is nothing to run it with: the script says
# so, and the exit status is 77: not run.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in node npm; do
	if ! command -v "$tool" >/dev/null; then
		echo "memory tool not run: $tool is not installed (Node 20 or newer brings node and npm)"
		exit 77
	fi
done

here=memorytool/sdk
there=bin/memorytool
if ! cmp -s "$here/package-lock.json" "$there/installed.json"; then
	mkdir -p "$there"
	cp "$here/package.json" "$here/package-lock.json" "$there/"
	npm ci --prefix "$there" --ignore-scripts --no-audit --no-fund --loglevel=error
	cp "$here/package-lock.json" "$there/installed.json"
fi

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
cp "$here/check.mjs" "$there/check.mjs" # imports are found from where it lies
node "$there/check.mjs" bin/strata "$home"
