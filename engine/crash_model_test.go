//go:build failpoint

package engine_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/failpoint"
)

// modelHome is the home that the test binary changes the model of when it is
// set, and modelName the model.
const (
	modelHome = "STRATA_TEST_MODEL_DB"
	modelName = "STRATA_TEST_MODEL"
)

// crashModels are the models that the home goes back and forth between.
func crashModels() []*scripted {
	return []*scripted{newScripted("old", 96, 1), newScripted("next", 64, 1)}
}

// TestModelProcess is not a test: it is the program of the one below. It
// changes the embedding model of a home and writes meanwhile.
func TestModelProcess(t *testing.T) {
	db := os.Getenv(modelHome)
	if db == "" {
		return
	}
	models := crashModels()
	wanted := models[0]
	if wanted.name != os.Getenv(modelName) {
		wanted = models[1]
	}
	e := openAt(t, db, with(wanted, models...))
	save(t, e, fmt.Sprintf("Process %d was here with model %s", os.Getpid(), wanted.name))
	drain(t, e)
}

// TestCrashWhileTheModelChanges kills a process with SIGKILL at every named
// point of a change of the embedding model, again and again on one home. After
// every kill doctor finds nothing, every fact is found by vector, and the next
// process goes on.
func TestCrashWhileTheModelChanges(t *testing.T) {
	t.Parallel()
	db := home(t)
	models := crashModels()
	first := openAt(t, db, with(models[0]))
	furnish(t, first, 700)
	closeNow(t, first)
	serves := "old"
	for round := range 30 {
		points := []string{failpoint.EmbedMade, failpoint.EmbedStored, failpoint.ModelSwitched, failpoint.ModelServes, failpoint.StaleDropped}
		point := fmt.Sprintf("STRATA_FAILPOINT=%s=%d", points[round%len(points)], 1+round/len(points)%2)
		wanted := "next"
		if serves == "next" {
			wanted = "old"
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestModelProcess$")
		cmd.Env = append(os.Environ(), modelHome+"="+db, modelName+"="+wanted, point)
		out, err := cmd.CombinedOutput()
		killed := cmd.ProcessState.ExitCode() == -1
		if !killed && (err != nil || !strings.HasSuffix(point, "=2")) { // some points are passed once only
			t.Fatalf("the process was not killed at %s: %v\n%s", point, err, out)
		}
		e := openAt(t, db, with(models[0], models...), func(o *engine.Options) { o.KeepModel = true })
		findable(t, e, "after a kill at "+point)
		healthy(t, e)
		if round%3 == 2 { // now and then somebody finishes
			drain(t, e)
			findable(t, e, "after all was finished")
			if r := embeddingOf(t, e); r.Target != "" || r.Stale != 0 {
				t.Errorf("unfinished: %+v", r)
			}
			healthy(t, e)
		}
		serves = embeddingOf(t, e).Serving
		closeNow(t, e)
	}
}
