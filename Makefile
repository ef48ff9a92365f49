# Strata's own Makefile: it sees to the build tag, the C flags and the header
# that sqlite-vec wants, so that Go, a C compiler and make are enough.

# FTS5 is off in go-sqlite3 unless this tag is set.
export GOFLAGS := $(strip $(filter-out -tags=sqlite_fts5,$(GOFLAGS)) -tags=sqlite_fts5)
# sqlite-vec includes "sqlite3.h". Ours leads to the header of the SQLite that
# go-sqlite3 compiles in, so no system package is needed. Setting CGO_CFLAGS
# drops Go's own -O2 -g, so they are repeated.
SQLITE_DIR := $(shell GOFLAGS= go list -f '{{.Dir}}' github.com/mattn/go-sqlite3)
export CGO_CFLAGS := -O2 -g -I$(CURDIR)/internal/sqlite/include -I$(SQLITE_DIR)
# What SQLite's own build finds out: a commit need not wait for the times of the
# log to be on the disk.
ifeq ($(shell uname -s),Linux)
export CGO_CFLAGS += -DHAVE_FDATASYNC=1
endif
# AVX=1 lets sqlite-vec use AVX, which is off by default, so that a comparison
# with it is with its best. Strata's own loops choose at run time.
ifdef AVX
export CGO_CFLAGS += -mavx -mfma -DSQLITE_VEC_ENABLE_AVX
endif
export CGO_ENABLED := 1
# Under the race detector every process sleeps for a second at its end, which the
# tests that start many would mostly wait for.
export GORACE := atexit_sleep_ms=0

# Where make install puts the program; DESTDIR is put before it, for packagers.
PREFIX ?= /usr/local
DESTDIR ?=
# Where make release puts its files.
RELEASE ?= bin/release

# Where the LoCoMo development data lies; make retrieval fails when it is not there.
LOCOMO ?= ../shared/data/locomo-dev.json
# Where the collections of make board lie: LOCOMO, and COLLECTIONS in the BEIR
# layout below any of the directories of BOARD. RESULTS keeps what they score.
BOARD ?= ../shared/data/board
COLLECTIONS ?= beam100k prefeval realmem memorycode realtalk
RESULTS ?= bin/board
FUZZTIME ?= 20s
FUZZ ?= ./...
COUNT ?= 6
BENCH ?= .
# How many vectors bench-knn searches.
VECTORS ?= 1000000
BASE ?= main
# Sizes of make peers: facts given to every peer, facts at which nearest
# vectors alone are measured, and questions in each way of asking. PEERS names
# some of them only, RESULT where the figures are kept, KEEP a directory that
# keeps Strata's home and bleve's index for a later run.
FACTS ?= 10000
NEAREST ?= 100000
QUESTIONS ?= 100
PEERS ?=
RESULT ?= bench/results/peers
KEEP ?=
# Sessions of make year.
SESSIONS ?= 1000
# Sizes of make scale, rising, and where the figures are kept. A million takes
# 4 GB of disk and ten minutes, and is measured apart: see bench/README.md.
SIZES ?= 1000,10000,100000
SCALE ?= bench/results/scale
# Which figures make measure makes: retrieval quality speed million peers; empty for all.
PARTS ?=
# What make figures draws.
FIGURES ?= $(basename $(wildcard bench/results/scale*.json)) bench/results/locomo-dev

# What make mutants changes.
PKG ?= ./internal/decide
N ?= 60
SEED ?= 1

.DEFAULT_GOAL := help
.PHONY: help env build install man release reproducible run check format test test-ollama test-mcp test-conformance test-memorytool test-page test-clients race crash conversations lint lint-systems fuzz bench bench-knn bench-compare measure retrieval generated board year peers scale figures verify verify-long mutants clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

env: ## print what a build needs; a shell takes it with: eval "$(make -s env)"
	@echo "export CGO_ENABLED='$(CGO_ENABLED)'"
	@echo "export GOFLAGS='$(GOFLAGS)'"
	@echo "export CGO_CFLAGS='$(CGO_CFLAGS)'"

build: ## build bin/strata
	go build -o bin/strata ./cmd/strata

man: build ## write the pages of the manual into bin/man1
	./bin/strata help man bin/man1

install: ## build strata and copy it to DESTDIR/PREFIX/bin (/usr/local/bin), its manual to share/man
	go build -ldflags '-s -w' -o bin/install/strata ./cmd/strata
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 bin/install/strata '$(DESTDIR)$(PREFIX)/bin/strata'
	./bin/install/strata help man '$(DESTDIR)$(PREFIX)/share/man/man1'

release: ## build the files of a release into bin/release: programs, modules, checksums
	./cmd/strata/release.sh '$(RELEASE)'

reproducible: release ## build the release again from a clone elsewhere, and compare
	@again=$$(mktemp -d) && trap 'rm -rf "$$again"' EXIT && \
	git clone -q . "$$again/strata" && $(MAKE) --no-print-directory -C "$$again/strata" release RELEASE=bin/release && \
	diff '$(RELEASE)/SHA256SUMS' "$$again/strata/bin/release/SHA256SUMS" && echo "both builds are equal"

run: build ## run the main job: a conversation remembered across sessions
	./bin/strata demo

check: format ## gofmt, go vet and short tests without the race detector, for the loop of a developer
	go vet ./...
	go test -short ./...

# The module beside Strata's own that measures it in its development. Of the tests of tune
# a sample is enough, with four models instead of thirteen; make race has all.
LAB = cd bench/lab &&
# Commands and retrieval are tested without the race detector: what they run is in
# packages that are tested with it, and a command under it takes four times as long to
# begin. make race tests all of it.
PLAIN = ./bench ./cmd/strata
# So are tests that do the same many times, of one thing at a time or by several processes;
# other tests of their packages look for races.
MANY_NAMES = TestRandomConversations TestWhatMustStayExact TestKilledAtEveryEffect TestDamage_ TestPowerCuts AreDurable \
	TestFullExport TestStore_ TestForget_NoByte TestForget_AmongEdits TestPending_AnswersAs TestCodesFindWhat TestIndexStaysSound \
	TestMatchSubstring_ TestMatch_InMemory TestKeptCodesAre TestRemovedPassage TestCompact_ TestSearch_AnswersAs \
	TestEightProcesses TestIngest_EachMessage TestRandomTrees TestRandomDiffs TestEveryPlanted TestWhatWasToldEarly \
	TestRulesAndCorrectionsStay TestOneEndlessLine TestABombTakes TestEstimateOfAGrowing TestNoRequestExceedsTheWindow \
	TestNearest_DamageChanges TestModel_ThatCannotBeUsed TestForgetTakesTheEchoes
MANY = $(subst $() ,|,$(strip $(MANY_NAMES)))
MANY_IN = $(sort $(dir $(shell grep -rlE '^func [A-Za-z0-9_]*($(MANY))' --include='*_test.go' --exclude-dir=bin .)))

# Property tests draw 30 cases here, and 100 in make race.
test: export RAPID_CHECKS ?= 30
test: ## pass the tests, most with the race detector, and the crash test
	go test -race -timeout 30m -skip '$(MANY)' $$(go list ./... | grep -vxF "$$(go list $(PLAIN))")
	go test -timeout 30m -run '$(MANY)' $(MANY_IN)
	go test -timeout 30m $(PLAIN)
	$(LAB) go test -race -timeout 30m ./generated ./life ./year
	$(LAB) go test -timeout 30m . ./generate ./peers/... && go test -timeout 30m -short ./tune
	$(MAKE) --no-print-directory crash

test-ollama: ## build a real Ollama server once, test the model clients against it
	./llm/ollama/testserver/run.sh bin/ollama

race: ## run the tests under the race detector only
	go test -race -timeout 60m ./...
	$(LAB) go test -race -timeout 60m ./...

crash: ## kill the write path 200 times, and writers of files, and look for what is lost
	GOFLAGS="-tags=sqlite_fts5,failpoint" go test -count=1 -run 'TestCrash' ./engine/... ./internal/documents/... ./workspace ./internal/history

test-mcp: build ## drive strata mcp with the MCP Inspector (needs node and npm)
	./server/mcp/inspector/run.sh

test-conformance: build ## run the conformance suite of MCP, and its TypeScript SDK (needs node and npm)
	go build -o bin/conformance-server ./internal/tools/conformance
	./server/mcp/conformance/run.sh

test-memorytool: build ## answer the memory tool of Anthropic's SDK (needs node and npm)
	./internal/ops/memorytool/sdk/run.sh

test-page: build ## do what people do on the web page, in Chromium (needs it, node and npm)
	go build -o bin/scriptedmodel ./internal/tools/scriptedmodel
	./internal/page/browser/run.sh

test-clients: build ## test the clients in TypeScript and Python (needs node, npm, python3 and curl)
	go build -o bin/scriptedmodel ./internal/tools/scriptedmodel
	./clients/run.sh

conversations: ## hold 10,000 random conversations within their windows
	STRATA_CONVERSATIONS=10000 go test -count=1 -timeout 120m -run 'TestRandomConversations' -v ./contextmgr

format:
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "gofmt these files:"; echo "$$out"; exit 1; fi

lint: format ## gofmt, go vet, staticcheck
	go vet ./...
	GOFLAGS="-tags=sqlite_fts5,failpoint" go vet ./internal/documents/... ./internal/models/embedding ./engine ./internal/sessions ./contextmgr ./internal/extract/queue ./workspace ./internal/history ./internal/base/failpoint
	go tool staticcheck ./...
	staticcheck=$$(go tool -n staticcheck) && $(LAB) go vet ./... && "$$staticcheck" ./...

# Packages that need cgo, and for a system those that do not, here or in their tests: all
# that they depend on, and all of ours that their tests import, is free of it.
CGO_PACKAGES = go list -deps -f '{{if and .CgoFiles (not .Standard)}}{{.ImportPath}}{{end}}' ./...
PURE_PACKAGES = CGO_ENABLED=0 GOOS=$$os go list -e -f '{{if not (or .Error .DepsErrors)}}{{.ImportPath}} {{join .Deps " "}} | {{join .TestImports " "}} {{join .XTestImports " "}}{{end}}' ./... | \
	awk -v ours="$$(go list -m)" 'NR == FNR { cgo[$$1]; next } \
	  NF { for (i = 1; $$i != "|"; i++) if ($$i in cgo) next; pure[$$1] = $$0 } \
	  END { for (p in pure) { n = split(pure[p], words); ok = 1; \
	    for (i = 1; i <= n; i++) if (words[i] in cgo || index(words[i], ours "/") == 1 && !(words[i] in pure)) ok = 0; \
	    if (ok) print p } }' <($(CGO_PACKAGES)) -

lint-systems: SHELL := bash
lint-systems: ## go vet for macOS and Windows, of the packages that need no cgo
	@for os in darwin windows; do \
	  list=$$($(PURE_PACKAGES)) && test -n "$$list" && echo "$$os: $$(wc -w <<<"$$list") packages" && \
	  CGO_ENABLED=0 GOOS=$$os go vet $$list || exit 1; \
	done

fuzz: ## run every fuzz test of the packages FUZZ (all) for FUZZTIME (20s) each
	@mkdir -p bin/fuzz || exit 1; dirs=$$(go list -f '{{.Dir}}' $(FUZZ)) || exit 1; failed=; for p in $$dirs; do \
	  names=$$(cat "$$p"/*_test.go 2>/dev/null | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p'); test -n "$$names" || continue; \
	  echo "== $$p" && go test -c -fuzz=. -o bin/fuzz/test "$$p" || exit 1; \
	  for f in $$names; do \
	    (cd "$$p" && '$(CURDIR)/bin/fuzz/test' -test.run '^$$' -test.fuzz "^$$f$$" -test.fuzztime $(FUZZTIME) -test.fuzzcachedir '$(CURDIR)/bin/fuzz/cache') || failed="$$failed $$f"; \
	  done; \
	done; test -z "$$failed" || { echo "failed:$$failed"; exit 1; }

bench: ## print every benchmark as benchstat lines
	go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 90m ./...

bench-knn: ## find the nearest of VECTORS vectors (1000000), beside sqlite-vec; AVX=1 builds that with AVX
	go test -run '^$$' -bench KNN -timeout 60m ./internal/sqlite -knn.facts $(VECTORS)

bench-compare: ## compare the benchmarks with those of BASE (main), COUNT rounds each
	./bench/compare.sh $(BASE) $(COUNT) '$(BENCH)'

measure: ## measure every published figure anew, in one go, on a quiet machine (an hour; PARTS=speed some of it)
	./bench/measure.sh $(PARTS)

retrieval: ## score retrieval on the LoCoMo development data and the generated collection, against the floors
	$(LAB) LOCOMO='$(abspath $(LOCOMO))' go test -count=1 -v -run 'TestFloors' .

# The place of a collection: where it is, else where it should be.
collection = $(firstword $(wildcard $(BOARD:%=%/$(1))) $(firstword $(BOARD))/$(1))

generated: ## write the generated collection into bin/generated
	$(LAB) go run ./generate '$(CURDIR)/bin/generated'

board: build generated ## score retrieval on every collection that is there, beside plain BM25
	./bin/strata bench board --data bin/generated --data '$(LOCOMO)' $(foreach c,$(COLLECTIONS),--data '$(call collection,$(c))') --result '$(RESULTS)' --run '$(RESULTS)'

year: ## live a simulated year of SESSIONS (1000), by SEED, with a memory, and judge what it kept
	$(LAB) go run ./year -sessions $(SESSIONS) -seed $(SEED)

peers: ## the same facts and questions through other memories (some need node and npm)
	$(LAB) go build -o '$(CURDIR)/bin/peers' ./peers
	./bin/peers -facts $(FACTS) -nearest $(NEAREST) -questions $(QUESTIONS) -only '$(PEERS)' -keep '$(KEEP)' -result $(RESULT)

scale: build ## measure speed and size at SIZES facts, for the figures
	./bin/strata bench scale --facts $(SIZES) --result $(SCALE)

figures: ## draw docs/figures.svg and figures-dark.svg from bench/results
	go run ./internal/tools/plotfigures -to docs/figures.svg $(FIGURES)
	go run ./internal/tools/plotfigures -dark -to docs/figures-dark.svg $(FIGURES)

verify-long: ## all of what make test takes a sample of: an hour and more
	STRATA_LONG=1 go test -count=1 -timeout 120m -run 'TestEveryPlanted' -v ./chat
	go test -count=1 -timeout 60m -run 'TestDamage' -v ./local -damage.homes 60
	go test -count=1 -timeout 60m -run 'TestPowerCuts' ./local -powercut.cuts 2000
	$(MAKE) --no-print-directory race
	$(MAKE) --no-print-directory conversations
	$(MAKE) --no-print-directory crash
	$(MAKE) --no-print-directory fuzz

mutants: ## change PKG in N (60) small ways by SEED (1), and see which its tests notice
	go run ./internal/tools/mutants -n $(N) -seed $(SEED) $(PKG)

verify: ## fail if generated files are out of date
	go mod tidy -diff
	go mod verify
	$(LAB) go mod tidy -diff

clean: ## remove what the build made
	rm -rf bin
