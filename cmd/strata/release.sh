#!/usr/bin/env bash
# Builds the program as users get it: for linux/amd64 and linux/arm64, where a C
# compiler for it is found, with the modules each is made of and SHA256SUMS.
# Two builds of one commit with the same Go and C compiler are equal byte for
# byte, wherever they are made: no path of the machine gets into them.
# The Makefile sets the flags: make release.
set -euo pipefail
cd "$(dirname "$0")/../.."
to=${1:?usage: release.sh DIRECTORY}
limit=55000000 # bytes that the program may have

rm -rf "$to"
mkdir -p "$to"
export GOOS=linux CGO_CFLAGS="$CGO_CFLAGS -ffile-prefix-map=$PWD=. -ffile-prefix-map=$(go env GOMODCACHE)=mod"

# build ARCHITECTURE TRIPLET builds with the C compiler of that triplet, or with
# the machine's own where that is one for the architecture.
build() {
	local file=strata-linux-$1 compiler=$2-gcc
	if [ "$(${CC:-cc} -dumpmachine)" = "$2" ]; then
		compiler=${CC:-cc}
	elif ! command -v "$compiler" >/dev/null; then
		echo "$file is left out: there is no $compiler"
		return
	fi
	GOARCH=$1 CC=$compiler go build -trimpath -ldflags '-s -w -buildid=' -o "$to/$file" ./cmd/strata
	local size
	size=$(wc -c <"$to/$file")
	if [ "$size" -ge "$limit" ]; then
		echo "$file has $size bytes; it must stay below $limit" >&2
		return 1
	fi
	(cd "$to" && go version -m "$file" >"$file.modules")
	echo "$file: $size bytes"
}

build amd64 x86_64-linux-gnu
build arm64 aarch64-linux-gnu
cp LICENSE "$to"
(cd "$to" && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
