#!/usr/bin/env bash
# Measures every figure that README.md, docs and bench/results publish, one after another.
# The machine should have nothing else to do.
#   bench/measure.sh [PART...]
# Without parts it measures all of them: quality retrieval speed million peers. It writes
# each command and its output to bench/results/measured/PART.txt, headed by the load of the
# machine, and saves results in JSON to bench/results.
set -euo pipefail
cd "$(dirname "$0")/.."
eval "$(make -s env)"
locomo=${LOCOMO:-../shared/data/locomo-dev.json}
results=bench/results
make --no-print-directory build

# run COMMAND... prints a command as one would type it, and its output; progress goes to the terminal.
run() {
	printf '\n$ %s\n' "$*"
	"$@"
}

benchmark() { run go test -run '^$' -bench "$1" -benchmem -timeout 90m "${@:2}"; }

retrieval() {
	run ./bin/strata bench locomo --data "$locomo" --plain --result $results/locomo-dev
	run ./bin/strata bench locomo --data "$locomo"
	run ./bin/strata bench locomo --data "$locomo" --unit session --result $results/locomo-dev-sessions
	run make --no-print-directory generated
	run ./bin/strata bench retrieval --dir bin/generated
	run make --no-print-directory board RESULTS=bin/board
}

quality() {
	run make --no-print-directory year
	for seed in 1 2 3; do run make --no-print-directory year SESSIONS=100 SEED=$seed; done
}

speed() {
	run ./bin/strata bench scale --facts 1000,10000,100000 --result $results/scale
	benchmark 'BenchmarkSave$|SaveBatch|SaveInto100k' ./bench
	benchmark 'BenchmarkColdRecall|RecallWithModel' ./bench
	benchmark 'BenchmarkChat$|ChatInTurns' ./bench
	benchmark 'BenchmarkWorkspace' ./bench
	benchmark 'BenchmarkIngest' ./engine -benchtime 100000x
	benchmark 'EmbedShort' ./llm/builtin
	run ./bin/strata bench scale --facts 100000 --scopes 1000 --result $results/projects
}

million() {
	run make --no-print-directory bench-knn
	run ./bin/strata bench scale --facts 1000000 --result $results/scale-million
}

peers() { run make --no-print-directory peers; }

mkdir -p $results/measured
[ $# -gt 0 ] || set -- retrieval quality speed million peers
for part; do
	{
		printf '# %s, %s, %s\n# %s\n' "$(git rev-parse --short HEAD)" "$(date -u +%F)" "$(go env GOOS GOARCH | paste -sd/)" \
			"$(grep -m1 'model name' /proc/cpuinfo 2>/dev/null | cut -d: -f2 | sed 's/^ *//' || true), $(getconf _NPROCESSORS_ONLN) processors, load $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || true)"
		"$part"
	} | tee "$results/measured/$part.txt"
done
