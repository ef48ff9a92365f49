#!/usr/bin/env bash
# Run the tests that want a real Ollama server against one:
#   run.sh [DIR]
# The server is built (build.sh) and kept in DIR, bin/ollama by default. It
# listens on a free loopback port, keeps its models in a directory that is
# removed, and serves two tiny models made by internal/tools/tinymodels. Where
# it cannot be built, one line says why, and the exit status is 77: not run.
#
# The tests are those named TestOllamaServer...; they find the server in
# STRATA_TEST_OLLAMA and are skipped without it.
set -euo pipefail
cd "$(dirname "$0")/../../.."
dir=${1:-bin/ollama}

status=0
server=$(llm/ollama/testserver/build.sh "$dir") || status=$?
case $status in
0) ;;
3)
	echo "test-ollama not run: $server"
	exit 77
	;;
*) exit "$status" ;;
esac

tmp=$(mktemp -d "${TMPDIR:-/tmp}/strata-ollama.XXXXXX")
groups=()

# stop ends the process groups that were started: politely, then by force.
stop() {
	local group
	for group in ${groups[@]+"${groups[@]}"}; do
		kill -- "-$group" 2>/dev/null || continue
		for _ in {1..50}; do
			kill -0 -- "-$group" 2>/dev/null || continue 2
			sleep 0.1
		done
		kill -KILL -- "-$group" 2>/dev/null || true
	done
}
trap 'status=$?; trap - EXIT; stop; rm -rf "$tmp"; exit $status' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# start runs a command in a process group of its own, in the background, so that
# a signal reaches the trap at once and the trap reaches everything below.
start() {
	set -m
	"$@" &
	set +m
	groups=("$!" ${groups[@]+"${groups[@]}"})
}

# Of a call that is broken off the server (v0.17.4) may keep the place. With one
# place for each model nothing is answered any more after that.
serve() {
	mkdir "$tmp/home"
	exec env -i PATH="$PATH" HOME="$tmp/home" TMPDIR="$tmp" OLLAMA_MODELS="$tmp/models" \
		OLLAMA_HOST=127.0.0.1:0 OLLAMA_NO_CLOUD=1 OLLAMA_NOHISTORY=1 OLLAMA_NUM_PARALLEL=4 "$server" serve >"$tmp/log" 2>&1
}

# Port 0 lets the system choose; the server's log says which.
start serve
for _ in {1..300}; do
	address=$(sed -n 's/.*Listening on \(127\.0\.0\.1:[0-9]*\) .*/\1/p' "$tmp/log" 2>/dev/null || true)
	[ -z "$address" ] || break
	kill -0 "${groups[0]}" 2>/dev/null || break
	sleep 0.1
done
if [ -z "$address" ]; then
	echo "the Ollama server did not start:"
	cat "$tmp/log"
	exit 1
fi

go run ./internal/tools/tinymodels -server "http://$address" -timeout 60s

export STRATA_TEST_OLLAMA=http://$address
export STRATA_TEST_CHAT_MODEL=strata-tiny-chat STRATA_TEST_EMBED_MODEL=strata-tiny-embed
packages=()
for part in internal/models/gguf llm contextmgr engine; do
	[ ! -d "$part" ] || packages+=("./$part/...")
done
# One package after the other: two that ask for different windows make the
# server load its model again and again.
start go test -p 1 -count=1 -timeout 3m -run '^TestOllamaServer' "${packages[@]}"
if ! wait "$!"; then
	echo "the server's last words:"
	tail -n 40 "$tmp/log"
	exit 1
fi
