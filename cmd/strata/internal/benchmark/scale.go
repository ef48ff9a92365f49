package benchmark

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/heap"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/local"
)

// scaleSeed makes the generated facts the same every time.
const scaleSeed = 1

// scaleOptions are the flags of bench scale.
type scaleOptions struct {
	facts     []int
	questions int
	scopes    int
	keep      string
	result    string
}

// newScale returns the command that measures speed and size by the number of facts.
func newScale(h Host) *cobra.Command {
	var o scaleOptions
	cmd := &cobra.Command{
		Use:   "scale [--facts N,N] [--scopes N] [--result NAME]",
		Short: "Measure speed and size over the number of facts",
		Long: "Fills a throw-away home with generated facts of about 100 characters, the same each time, and at each size asks\n" +
			"questions that they answer, in a process of its own: the time of a whole recall, of the nearest vectors alone and of\n" +
			"a ranking by words alone; how many of the facts asked for are found, even if asked for in other words; the\n" +
			"time to open the home, and that of a whole strata recall from the shell; the bytes of all files of the home, and the\n" +
			"anonymous memory (the page cache is not in it). It uses the built-in embedder, whatever the settings say. A million\n" +
			"facts take some minutes and 4 GB of disk.\n\n" +
			"With --scopes N the facts go to N scopes in turn, as in the memories of many projects, and each question is asked in the\n" +
			"scope of its answer.\n\n" +
			"--keep DIR keeps the home, so that a later run with it only measures; it must be empty or filled by this command.",
		Example: "  strata bench scale --facts 1000,10000,100000 --result scale\n" +
			"  # fill once, measure again after a change\n" +
			"  strata bench scale --facts 1000000 --keep /var/tmp/million --result million\n" +
			"  # the memories of 10,000 projects in one home\n" +
			"  strata bench scale --facts 1000000 --scopes 10000 --keep /var/tmp/projects --result projects",
		Args: cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return h.scale(cmd, o) },
	}
	cmd.Flags().IntSliceVar(&o.facts, "facts", []int{1000, 10_000}, "the numbers of facts, in rising order")
	cmd.Flags().IntVar(&o.questions, "questions", 1000, "questions asked at each size, no more than there are facts")
	cmd.Flags().IntVar(&o.scopes, "scopes", 1, "scopes that hold them, in turn; 1 is the global scope")
	cmd.Flags().StringVar(&o.keep, "keep", "", "keep the home in this directory, or measure the one that was kept there")
	resultFlag(cmd, &o.result, "keep the figures as NAME.json")
	_ = cmd.MarkFlagDirname("keep")
	return cmd
}

// scaleOutput is the output of bench scale.
type scaleOutput struct {
	Machine bench.Machine `json:"machine"`
	Points  []bench.Point `json:"points"`
	Result  string        `json:"result,omitempty"`
}

// scale fills a home and measures it at each size.
func (h Host) scale(cmd *cobra.Command, o scaleOptions) error {
	if err := bench.CheckSizes(o.facts); err != nil {
		return err
	}
	if err := bench.CheckScopes(o.scopes, o.facts[0]); err != nil {
		return err
	}
	if o.questions < 1 {
		return strata.Invalid("", "--questions is less than 1", "leave it out for 1000")
	}
	corpus := bench.Corpus{Seed: scaleSeed, Scopes: o.scopes}
	home, held, err := h.scaleHome(o.keep, corpus)
	if err != nil {
		return err
	}
	if held > o.facts[0] {
		return strata.Invalid("", fmt.Sprintf("the home in %s holds %d facts already, which is more than %d", o.keep, held, o.facts[0]),
			fmt.Sprintf("pass --facts %d, or more", held))
	}
	ctx, out := cmd.Context(), scaleOutput{Machine: bench.ThisMachine(), Result: o.result}
	for _, n := range o.facts {
		p := h.Out.Progress(fmt.Sprintf("fill up to %d", n))
		saves, err := home.Fill(ctx, held, n, func(done int) { p.Report(int64(done), int64(n)) })
		p.Finish()
		if err != nil {
			return err
		}
		held = n
		p = h.Out.Progress(fmt.Sprintf("measure %d facts", n))
		point, err := home.Measure(ctx, n, o.questions, func(step int) { p.Report(int64(step), bench.Steps) })
		p.Finish()
		if err != nil {
			return err
		}
		point.Saves = saves
		out.Points = append(out.Points, point)
	}
	if o.result != "" {
		r := bench.NewResult(bench.KindScale, commandLine(cmd))
		r.Data = bench.Data{Name: "generated", Seed: scaleSeed}
		r.Settings = bench.Settings{Embedder: builtin.Model, Questions: o.questions}
		if o.scopes > 1 {
			r.Settings.Scopes = o.scopes
		}
		r.Points = out.Points
		if err := r.Save(o.result, nil); err != nil {
			return err
		}
	}
	if !h.Out.ForPeople() {
		return h.Out.Print(out)
	}
	return h.printScale(out)
}

// scaleHome returns the home to fill, and how many facts it already holds.
func (h Host) scaleHome(keep string, corpus bench.Corpus) (home bench.ScaleHome, held int, err error) {
	home = bench.ScaleHome{Dir: keep, Corpus: corpus, Command: self}
	if keep != "" {
		held, err = bench.HomeHolds(keep, corpus)
	} else {
		home.Dir, err = h.Scratch()
	}
	if err != nil {
		return home, 0, err
	}
	home.Open = func(ctx context.Context) (*engine.Engine, error) {
		opened, err := local.OpenWith(ctx, local.Options{Home: home.Dir, Embedder: builtin.New(), LeaveUnrecorded: true, Logger: h.Log()})
		if err != nil {
			return nil, err
		}
		return opened.Engine(), nil
	}
	return home, held, nil
}

// self runs this program with other arguments and returns its output.
func self(ctx context.Context, args ...string) ([]byte, error) {
	program, err := exec.LookPath(os.Args[0])
	if err != nil {
		if program, err = os.Executable(); err != nil {
			return nil, fmt.Errorf("find this program: %w", err)
		}
	}
	cmd := exec.CommandContext(ctx, program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("run %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return stdout.Bytes(), nil
}

// printScale prints the measurements for people.
func (h Host) printScale(out scaleOutput) error {
	fmt.Fprintf(h.Out.Stdout, "%s, %d cores\n\n", out.Machine.CPU, out.Machine.Cores)
	t := table.Table{Header: []string{"facts", "recall p50", "p95", "p99", "nearest p50", "words p50", "found@10", "all ways", "open", "shell", "MiB", "bytes/fact", "saves/s"}}
	for _, p := range out.Points {
		saves := "-"
		if p.Saves > 0 {
			saves = fmt.Sprintf("%.0f", p.Saves)
		}
		t.Add(fmt.Sprint(p.Facts), millis(p.Recall.P50), millis(p.Recall.P95), millis(p.Recall.P99), millis(p.Nearest.P50), millis(p.Words.P50),
			fmt.Sprintf("%.3f", p.Found10), fmt.Sprintf("%.3f", bench.FoundAllWays(p.Ways)), millis(p.Open), millis(p.Shell), fmt.Sprintf("%.0f", float64(p.Anonymous)/(1<<20)),
			fmt.Sprintf("%.0f", p.Fact), saves)
	}
	if err := t.Write(h.Out.Stdout, 0, h.Out.Style(h.Out.Stdout)); err != nil {
		return err
	}
	h.printKept(out.Result)
	return nil
}

// millis formats a duration in milliseconds.
func millis(d time.Duration) string { return fmt.Sprintf("%.2fms", float64(d.Microseconds())/1000) }

// newMeasure returns the hidden command that bench scale runs in a separate process.
func newMeasure(h Host) *cobra.Command {
	probe := bench.Probe{Corpus: bench.Corpus{Seed: scaleSeed}}
	cmd := &cobra.Command{
		Use:    "measure --home DIR --facts N --questions N",
		Short:  "Measure a home that bench scale filled",
		Long:   "Opens a home that bench scale filled and asks questions. bench scale runs it as a process of its own.",
		Hidden: true,
		Args:   cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if probe.Facts < 1 || probe.Questions < 0 {
				return strata.Invalid("", "there is nothing to measure", "run strata bench scale")
			}
			point, err := h.measure(cmd.Context(), probe)
			if err != nil {
				return err
			}
			return h.Out.Print(point)
		},
	}
	cmd.Flags().IntVar(&probe.Facts, "facts", 0, "how many facts the home holds")
	cmd.Flags().IntVar(&probe.Scopes, "scopes", 1, "how many scopes they are in")
	cmd.Flags().IntVar(&probe.Questions, "questions", 0, "questions to ask; 0: only open it")
	return cmd
}

// measure opens the home and measures queries.
func (h Host) measure(ctx context.Context, probe bench.Probe) (point bench.Point, err error) {
	home := h.Home()
	heap.CollectAsUsual() // as when the program opens memory
	begin := time.Now()
	opened, err := local.OpenWith(ctx, local.Options{Home: home, Embedder: builtin.New(), LeaveUnrecorded: true, Logger: h.Log()})
	if err != nil {
		return bench.Point{}, err
	}
	mem := opened.Engine()
	took := time.Since(begin)
	defer func() { err = errors.Join(err, mem.Close()) }()
	if probe.Questions == 0 {
		return bench.Point{Facts: probe.Facts, Open: took}, nil
	}
	// To measure the parts separately, query the same database through another store. It
	// loads nothing into memory until the first query.
	db, err := sqlite.Open(ctx, local.Database(home), &sqlite.Options{ReadOnly: true})
	if err != nil {
		return bench.Point{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	probe.Store, probe.Embedder = db, builtin.New()
	point, err = probe.Measure(ctx, mem)
	point.Open = took
	return point, err
}
