package projection

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// Bounds of the files about dreams.
const (
	shownDreams   = 30       // dreams in the diary
	shownBytes    = 48 << 10 // total bytes of these
	shownLeft     = 10       // listed memories of a dream that were not promoted
	shownTended   = 20       // listed facts of a dream that were merged, and that were settled
	shownTopics   = 5
	shownArchived = 200 // archived promotions
	lineChars     = 300 // of a memory's text
)

// promoted returns the promotions of a scope, and a map from the id of each promoted fact
// to the fact that is current in its place.
func promoted(ctx context.Context, v store.Reader, scope strata.Scope) (map[string]strata.Fact, []strata.Promotion, error) {
	list, err := v.Promotions(ctx, scope, false)
	if err != nil {
		return nil, nil, err
	}
	facts := make(map[string]strata.Fact)
	for _, p := range list {
		f, err := store.CurrentFact(ctx, v, []strata.Scope{scope}, p.Fact)
		if err == nil {
			facts[p.Fact] = f
		} else if strata.CodeOf(err) != strata.CodeNotFound {
			return nil, nil, err
		}
	}
	return facts, list, nil
}

// dreamed returns the blocks of promoted facts, oldest block first and strongest fact
// first in each, and the ids of the facts in them. Facts that contain a secret are left
// out.
func (r *rendering) dreamed(ctx context.Context, v store.Reader) (blocks []markdown.Block, facts map[string]bool, err error) {
	current, promotions, err := promoted(ctx, v, r.scope)
	if err != nil {
		return nil, nil, err
	}
	facts = make(map[string]bool)
	for _, p := range promotions {
		f, ok := current[p.Fact]
		if !ok || facts[f.ID] || f.Text == strata.ForgottenText || len(secrets.Scan(f.Text)) > 0 {
			continue
		}
		facts[f.ID] = true
		decision, err := decisionOf(ctx, v, f)
		if err != nil {
			return nil, nil, err
		}
		title := markdown.DreamedTitle(p.At)
		if n := len(blocks); n == 0 || blocks[n-1].Title != title {
			blocks = append(blocks, markdown.Block{Title: title})
		}
		b := &blocks[len(blocks)-1]
		b.Items = append(b.Items, markdown.Item{Text: markdown.DreamedText(f.Text, p), Decision: decision})
	}
	slices.Reverse(blocks)
	return blocks, facts, nil
}

// aboutPromoted adds the parts to render if a decision of the batch is about a promoted
// fact.
func (r *rendering) aboutPromoted(ctx context.Context) error {
	if len(r.pending) == 0 || r.what&(markdown.PartIndex|markdown.PartDreams) == markdown.PartIndex|markdown.PartDreams {
		return nil
	}
	return r.o.Store.View(ctx, func(v store.Reader) error {
		current, promotions, err := promoted(ctx, v, r.scope)
		if err != nil || len(promotions) == 0 {
			return err
		}
		ids := make(map[string]bool)
		for _, p := range promotions {
			ids[p.Fact], ids[current[p.Fact].ID] = true, true
		}
		for _, d := range r.pending {
			if d.Document == nil && (ids[d.FactID] || d.Before != nil && ids[d.Before.ID]) {
				r.what |= markdown.PartIndex | markdown.PartDreams
				return nil
			}
		}
		return nil
	})
}

// dreams renders the diary and the archive of promotions. A scope that never dreamed has
// neither.
func (r *rendering) dreams(ctx context.Context) error {
	if r.what&markdown.PartDreams == 0 {
		return nil
	}
	var diary, archive []markdown.Region
	newest := ""
	err := r.o.Store.View(ctx, func(v store.Reader) error {
		list, err := v.Dreams(ctx, r.scope, store.DreamFilter{Limit: shownDreams})
		if err != nil {
			return err
		}
		if len(list) > 0 {
			newest = list[0].ID
		}
		size := 0
		for _, d := range list {
			region, err := r.dream(ctx, v, d)
			if err != nil {
				return err
			}
			if size += len(strings.Join(region.Lines, "\n")); size > shownBytes && len(diary) > 0 {
				break
			}
			diary = append(diary, region)
		}
		archive, err = r.archived(ctx, v)
		return err
	})
	if err != nil {
		return err
	}
	for path, regions := range map[string][]markdown.Region{markdown.DreamsPath: diary, markdown.ArchivedPath: archive} {
		err := r.rewrite(ctx, path, func(content string) string { return markdown.PutRegions(path, content, regions) })
		if err != nil {
			r.fail(err, r.concerning(markdown.PartDreams)...)
		}
	}
	if r.waits == nil {
		r.dreamt = newest
	}
	return nil
}

// dream returns the diary entry of a dream.
func (r *rendering) dream(ctx context.Context, v store.Reader, d strata.Dream) (markdown.Region, error) {
	p := diaryPage{dream: d}
	p.line("## Dream %s UTC", d.StartedAt.UTC().Format("2006-01-02 15:04"))
	p.line("")
	if d.Failure != "" {
		p.line("It failed: %s. `strata dream retry %s` has it done.", markdown.RegionLine(d.Failure, lineChars), d.ID)
		return p.region(), nil
	}
	tended := d.Merged + d.Settled + d.Asked
	if d.Considered == 0 && d.Archived == 0 && tended == 0 && p.unused() == 0 {
		p.line("Nothing was asked for, so nothing rose.")
		return p.region(), nil
	}
	p.line("%d considered, %d promoted, %d left, %d archived.", d.Considered, d.Promoted, d.Left(), d.Archived)
	if tended > 0 {
		p.line("Facts: %d merged, %d settled, %d asked about.", d.Merged, d.Settled, d.Asked)
	}
	items, recalls, err := r.dreamItems(ctx, v, d)
	if err != nil {
		return p.region(), err
	}
	if topics := mostAsked(recalls); topics != "" {
		p.line("Asked for most: %s.", topics)
	}
	p.lists(items)
	return p.region(), nil
}

// dreamItems returns the lines for the memories of a dream by outcome, and the number of
// recalls by category. Their texts are the current ones.
func (r *rendering) dreamItems(ctx context.Context, v store.Reader, d strata.Dream) (items map[strata.DreamOutcome][]string, recalls map[string]int, err error) {
	items, recalls = make(map[strata.DreamOutcome][]string), make(map[string]int)
	for _, it := range d.Items {
		text, category, err := r.says(ctx, v, it.Memory)
		if err != nil {
			return nil, nil, err
		}
		recalls[category] += it.Recalls
		other, _, err := r.says(ctx, v, it.With)
		if err != nil {
			return nil, nil, err
		}
		why := it.Reason
		switch other = markdown.RegionLine(other, lineChars); it.Outcome {
		case strata.DreamPromoted:
			why = fmt.Sprintf("score %.2f, hits %d", it.Score, it.Recalls)
		case strata.DreamMerged:
			why = "went into: " + other
		case strata.DreamSettled:
			why = "gave way to: " + other
		case strata.DreamQuestioned:
			why = it.Reason + ", or: " + other
		}
		items[it.Outcome] = append(items[it.Outcome], "- "+markdown.RegionLine(text, lineChars)+" - "+why)
	}
	return items, recalls, nil
}

// diaryPage is a diary entry being written.
type diaryPage struct {
	dream strata.Dream
	text  []string // its lines
}

func (p *diaryPage) line(format string, args ...any) {
	p.text = append(p.text, fmt.Sprintf(format, args...))
}

func (p *diaryPage) region() markdown.Region { return markdown.Region{ID: p.dream.ID, Lines: p.text} }

// unused counts the skills that were archived because nobody used them.
func (p *diaryPage) unused() (n int) {
	for _, it := range p.dream.Items {
		if it.Outcome == strata.DreamUnused {
			n++
		}
	}
	return n
}

// lists writes a list of the memories with each outcome.
func (p *diaryPage) lists(items map[strata.DreamOutcome][]string) {
	d := p.dream
	for _, part := range []struct {
		title   string
		outcome strata.DreamOutcome
		all     int
	}{
		{"Promoted", strata.DreamPromoted, d.Promoted}, {"Archived", strata.DreamArchived, d.Archived},
		{"Merged", strata.DreamMerged, d.Merged}, {"Settled", strata.DreamSettled, d.Settled},
		{"Asked (strata questions)", strata.DreamQuestioned, d.Asked}, {"Left", strata.DreamLeft, d.Left()},
		{"Skills archived", strata.DreamUnused, p.unused()},
	} {
		list := items[part.outcome]
		if len(list) == 0 {
			continue
		}
		p.line("")
		p.line("### %s", part.title)
		p.line("")
		if most, ok := mostShown[part.outcome]; ok && len(list) > most {
			list = list[:most]
		}
		p.text = append(p.text, list...)
		if more := part.all - len(list); more > 0 {
			p.line("- and %d more", more)
		}
	}
}

// mostShown is the maximum number of memories listed for an outcome. There is no limit
// for other outcomes.
var mostShown = map[strata.DreamOutcome]int{strata.DreamLeft: shownLeft, strata.DreamMerged: shownTended, strata.DreamSettled: shownTended}

// says returns the current text of a memory, and the category of a fact. It returns the
// id of a turn or of a fact that contains a secret, and the path of a document.
func (r *rendering) says(ctx context.Context, v store.Reader, memory string) (text, category string, err error) {
	if memory == "" {
		return "", "", nil
	}
	f, err := v.Fact(ctx, []strata.Scope{r.scope}, memory)
	switch {
	case err == nil && len(secrets.Scan(f.Text)) == 0:
		return f.Text, f.Category, nil
	case strings.HasPrefix(memory, "doc_"):
		d, err := v.DocumentByID(ctx, []strata.Scope{r.scope}, memory)
		if strata.CodeOf(err) == strata.CodeNotFound {
			return memory, "", nil
		}
		return d.Path, "", err
	case err == nil, strings.HasPrefix(memory, "turn_"):
		return memory, "", nil
	case strata.CodeOf(err) != strata.CodeNotFound:
		return "", "", err
	}
	return "a memory that is gone", "", nil
}

// mostAsked lists the categories recalled most.
func mostAsked(asked map[string]int) string {
	var names []string
	for name := range asked {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(asked[b], asked[a]), cmp.Compare(a, b)) })
	var out []string
	for _, name := range names[:min(len(names), shownTopics)] {
		out = append(out, fmt.Sprintf("%s (%d)", markdown.RegionLine(name, lineChars), asked[name]))
	}
	return strings.Join(out, ", ")
}

// archived returns the facts whose promotions were archived and that are still current.
func (r *rendering) archived(ctx context.Context, v store.Reader) ([]markdown.Region, error) {
	list, err := v.Promotions(ctx, r.scope, true)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, p := range list[:min(len(list), shownArchived)] {
		f, err := v.Fact(ctx, []strata.Scope{r.scope}, p.Fact)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return nil, err
		}
		if err == nil && f.Current() && len(secrets.Scan(f.Text)) == 0 {
			lines = append(lines, fmt.Sprintf("- %s _(promoted %s, archived %s: %s)_", markdown.RegionLine(f.Text, lineChars),
				p.At.UTC().Format("2006-01-02"), p.ArchivedAt.UTC().Format("2006-01-02"), p.Archived))
		}
	}
	if len(lines) == 0 {
		return nil, nil
	}
	return []markdown.Region{{ID: "archived", Lines: lines}}, nil
}
