#!/usr/bin/env bash
# Compare the benchmarks of the working tree with those of another revision:
#   bench/compare.sh BASE ROUNDS PATTERN
# The rounds of both alternate, so that a machine that slows down slows both.
set -euo pipefail
base=$1 rounds=$2 pattern=$3
root=$(git rev-parse --show-toplevel)
tmp=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$tmp/base" 2>/dev/null || true; rm -rf "$tmp"' EXIT
git -C "$root" worktree add --quiet --detach "$tmp/base" "$base"
for ((i = 0; i < rounds; i++)); do
	for side in base here; do
		dir=$root
		[ "$side" = base ] && dir=$tmp/base
		make --no-print-directory -C "$dir" bench BENCH="$pattern" >>"$tmp/$side.txt"
	done
done
go -C "$root" tool benchstat "base=$tmp/base.txt" "here=$tmp/here.txt"
