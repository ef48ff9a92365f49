package lab_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/bench/lab/generated"
	"github.com/strata-memory/strata/local"
)

// floors are the least recall@10 in percent that each collection must reach, of
// all questions and of each group: what was reached, less 0.5. They rise with
// what is reached and never fall.
var floors = map[string]map[string]float64{
	"generated": {
		"all":            82.3,
		"assistant said": 67.0,
		"code":           97.0,
		"german":         97.0,
		"note":           99.5,
		"preference":     57.0,
		"tool":           99.5,
		"two people":     82.0,
		"update":         72.4,
	},
	"locomo-dev-plain": {
		"all":         83.9,
		"adversarial": 92.1,
		"multi-hop":   52.5,
		"open-domain": 50.3,
		"single-hop":  93.9,
		"temporal":    88.1,
	},
	"locomo-dev": {
		"all":         84.3,
		"adversarial": 92.6,
		"multi-hop":   52.8,
		"open-domain": 52.0,
		"single-hop":  94.1,
		"temporal":    88.1,
	},
}

// TestFloorsOfTheGeneratedCollection needs no data.
func TestFloorsOfTheGeneratedCollection(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "generated")
	if err := generated.Conversations(1).Write(dir); err != nil {
		t.Fatal(err)
	}
	checkFloors(t, bench.Source{Form: bench.CollectionBEIR, Path: dir})
}

// TestFloorsOfLoCoMo asks the development conversations where they lie beside
// the project. If LOCOMO says where they are, as in make retrieval, they must be
// there.
func TestFloorsOfLoCoMo(t *testing.T) {
	path, named := os.LookupEnv("LOCOMO")
	if !named {
		path = "../../../shared/data/locomo-dev.json"
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !named {
		t.Skipf("the development data is not there: %s (see bench/README.md)", path)
	}
	for name, plain := range map[string]bool{"with search phrases": false, "plain": true} {
		t.Run(name, func(t *testing.T) {
			checkFloors(t, bench.Source{Form: bench.CollectionLoCoMo, Path: path, Plain: plain})
		})
	}
}

// checkFloors asks a collection as strata bench does.
func checkFloors(t *testing.T, from bench.Source) {
	if testing.Short() {
		t.Skip("asks hundreds of questions")
	}
	c, err := from.Read()
	if err != nil {
		t.Fatal(err)
	}
	least, ok := floors[from.Name()]
	if !ok {
		t.Fatalf("%s has no floors", from.Name())
	}
	ctx := context.Background()
	opened, err := local.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	t.Cleanup(func() { mem.Close() })
	names, err := bench.Ingest(ctx, mem, c.Documents, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := bench.Ask(ctx, mem, c.Queries, names, bench.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := c.Score(bench.UnitDocument, answers, c.Relevant)
	groups := map[string]*bench.GroupScores{"all": {Queries: s.Queries, Recall: s.Recall}}
	maps.Copy(groups, s.Groups)
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		g := groups[name]
		t.Logf("%-15s %5d questions, recall@5 %.2f, @10 %.2f, @25 %.2f, @50 %.2f", name, g.Queries,
			100*g.Recall[0], 100*g.Recall[1], 100*g.Recall[2], 100*g.Recall[3])
		if floor, ok := least[name]; !ok || 100*g.Recall[1] < floor {
			t.Errorf("%s: recall@10 is %.2f, the floor is %.1f", name, 100*g.Recall[1], floor)
		}
	}
	for name := range least {
		if groups[name] == nil {
			t.Errorf("%s: no question of this group was asked", name)
		}
	}
}
