#!/usr/bin/env bash
# Drives memory with the memory tool of Anthropic's own SDK: its helper hands the calls
# to strata memory-tool and to a server, and what they answer is compared with the SDK's
# own files on a disk. The SDK is installed into bin/, in the versions of
# package-lock.json. Without node and npm there is nothing to run it with: the script says
# so, and the exit status is 77: not run.
set -euo pipefail
cd "$(dirname "$0")/../../../.."

. internal/tools/npm/install.sh
need "memory tool" node npm

here=internal/ops/memorytool/sdk
there=bin/memorytool
install_packages "$here" "$there"

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
cp "$here/check.mjs" "$there/check.mjs" # imports are found from where it lies
node "$there/check.mjs" bin/strata "$home"
