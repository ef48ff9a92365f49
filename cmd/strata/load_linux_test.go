package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata/client"
)

// loadHome is the home that BenchmarkLoad serves and writes to: use a copy.
var loadHome = flag.String("load", "", "home that BenchmarkLoad serves and writes to")

// What is asked of the server.
const (
	loadClients = 64
	loadRate    = 200 // requests a second, of all clients together
	loadTime    = 30 * time.Second
	loadBefore  = 5 * time.Second // of the same before, while the server reads memory
	saveShare   = 10              // one in so many is a save, the others are recalls
)

// A server under the load of many clients: recalls of what the home holds, and saves.
// Requests begin when they are due, whatever became of those before (an open loop), and
// take until they are answered from then on. See bench/README.md.
func BenchmarkLoad(b *testing.B) {
	if *loadHome == "" {
		b.Skip("-load names no home")
	}
	s, err := tryServe(b, *loadHome, "--log-format", "json")
	if err != nil {
		b.Fatalf("serve: %v\n%s", err, s.stderr)
	}
	questions := loadQuestions(b)
	recalls, _, _ := load(b, questions, loadBefore)
	b.ReportMetric(milliseconds(slices.Max(recalls)), "first-most-ms")
	for b.Loop() {
		before := anonymous(b, s.cmd.Process.Pid)
		recalls, saves, failed := load(b, questions, loadTime)
		for name, took := range map[string][]time.Duration{"recall": recalls, "save": saves} {
			slices.Sort(took)
			b.ReportMetric(milliseconds(took[len(took)/2]), name+"-p50-ms")
			b.ReportMetric(milliseconds(took[len(took)*99/100]), name+"-p99-ms")
		}
		b.ReportMetric(float64(failed), "errors")
		b.ReportMetric(float64(before), "begin-MiB")
		b.ReportMetric(float64(anonymous(b, s.cmd.Process.Pid)-before), "growth-MiB")
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// loadQuestions are words of facts of the home, without those of earlier runs: these are
// easily told apart.
func loadQuestions(b *testing.B) []string {
	var found struct{ Facts []struct{ Text string } }
	c, err := client.New(client.Options{Home: *loadHome})
	if err == nil {
		defer c.Close()
		err = c.Call(b.Context(), "facts", map[string]any{"limit": 10_000}, &found)
	}
	if err != nil || len(found.Facts) == 0 {
		b.Fatalf("the home has %d facts, %v", len(found.Facts), err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var questions []string
	for _, f := range found.Facts {
		if strings.HasPrefix(f.Text, "Crate ") {
			continue
		}
		words := strings.Fields(f.Text)
		at := random.IntN(max(1, len(words)-5))
		questions = append(questions, strings.Join(words[at:min(len(words), at+5)], " "))
	}
	return questions
}

// load sends requests for a while, and returns how long each took.
func load(b *testing.B, questions []string, long time.Duration) (recalls, saves []time.Duration, failed int) {
	due := make(chan time.Time, loadRate*int(long/time.Second))
	begun := time.Now()
	for i := range cap(due) {
		due <- begun.Add(time.Duration(i) * time.Second / loadRate)
	}
	close(due)
	var mu sync.Mutex // guards the results
	var working sync.WaitGroup
	for n := range loadClients {
		working.Go(func() {
			c, err := client.New(client.Options{Home: *loadHome})
			if err != nil {
				b.Error(err)
				return
			}
			defer c.Close()
			random := rand.New(rand.NewPCG(uint64(n), uint64(begun.UnixNano())))
			for at := range due {
				time.Sleep(time.Until(at)) // the rate is what the load is; nothing is waited for
				isSave := random.IntN(saveShare) == 0
				if isSave {
					err = c.Call(b.Context(), "save", map[string]string{"content": fmt.Sprintf("Crate %d of depot %d weighs %d kilos", random.IntN(1e9), n, random.IntN(900))}, nil)
				} else {
					err = c.Call(b.Context(), "recall", map[string]string{"query": questions[random.IntN(len(questions))]}, nil)
				}
				took := time.Since(at)
				mu.Lock()
				switch {
				case err != nil:
					failed++
					b.Log(err)
				case isSave:
					saves = append(saves, took)
				default:
					recalls = append(recalls, took)
				}
				mu.Unlock()
			}
		})
	}
	working.Wait()
	return recalls, saves, failed
}

// anonymous is the memory of a process without files that it maps, in MiB.
func anonymous(b *testing.B, pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				b.Fatal(err)
			}
			return kib >> 10
		}
	}
	b.Fatal("the system does not say how much memory a process has")
	return 0
}
