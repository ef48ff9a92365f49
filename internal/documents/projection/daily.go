package projection

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// daily adds saved facts to the logs of their days, and removes what was deleted or
// forgotten.
func (r *rendering) daily(ctx context.Context) error {
	added := make(map[string][]markdown.Item)    // by day
	behind := make(map[string][]strata.Decision) // by day, the decisions that led to added
	var removals []strata.Decision
	days := make(map[string]bool) // days whose logs may have lines to remove
	for _, d := range r.pending {
		if d.Document != nil {
			continue
		}
		r.what |= factParts(d)
		switch {
		case d.Op == strata.OpDelete || d.Op == strata.OpForget:
			if err := r.linesOf(ctx, d, r.gone, days); err != nil {
				return err
			}
			removals = append(removals, d)
			continue
		case d.Before != nil && factParts(d)&markdown.PartIndex != 0:
			if err := r.linesOf(ctx, d, r.past, make(map[string]bool)); err != nil {
				return err
			}
		}
		if d.After == nil || d.After.Text == strata.ForgottenText {
			continue
		}
		day := r.day(d.DecidedAt)
		added[day] = append(added[day], markdown.Item{Text: d.After.Text, Decision: d.ID, At: d.DecidedAt})
		behind[day] = append(behind[day], d)
	}
	for _, day := range slices.Sorted(maps.Keys(added)) {
		items := slices.DeleteFunc(added[day], func(i markdown.Item) bool { return r.gone[i.Decision] })
		if err := r.addDaily(ctx, day, items); err != nil {
			r.fail(err, behind[day]...)
		}
	}
	if err := r.removeDaily(ctx, r.gone, days); err != nil {
		r.fail(err, removals...)
	}
	return nil
}

// factParts returns the generated parts, apart from daily logs, that a decision about a
// fact makes stale.
func factParts(d strata.Decision) markdown.Parts {
	if d.Op == strata.OpForget {
		return markdown.AllParts
	}
	for _, f := range []*strata.Fact{d.Before, d.After} {
		if f != nil && f.Origin == strata.OriginExtractor {
			return markdown.PartIndex
		}
	}
	return 0
}

// day returns the date of a time in the user's time zone.
func (r *rendering) day(at time.Time) string {
	return at.In(r.o.Now().Location()).Format(time.DateOnly)
}

// decisionPage is the number of decisions read at a time.
const decisionPage = 1000

// linesOf adds to ids the decisions about a fact up to the one that ended it, and to days
// the days whose logs may contain their lines. These include the neighboring days, since
// a log was written in the time zone of its time.
func (r *rendering) linesOf(ctx context.Context, gone strata.Decision, ids, days map[string]bool) error {
	fact, after := gone.FactID, ""
	switch {
	case gone.Op == strata.OpForget:
	case gone.Before != nil && gone.Before.ID != fact: // superseded by another
		fact = gone.Before.ID
	default:
		after = gone.ID // skip later decisions
	}
	if fact == "" {
		return nil
	}
	return r.o.Store.View(ctx, func(v store.Reader) error {
		for {
			page, err := v.Decisions(ctx, r.scope, strata.DecisionFilter{FactID: fact, After: after, Limit: decisionPage})
			if err != nil {
				return err
			}
			for _, d := range page {
				ids[d.ID] = true
				for _, shift := range []int{-1, 0, 1} {
					days[r.day(d.DecidedAt.AddDate(0, 0, shift))] = true
				}
				after = d.ID
			}
			if len(page) < decisionPage {
				return nil
			}
		}
	})
}

// addDaily writes items to the newest file of a day's log, and starts another file when
// it is full.
func (r *rendering) addDaily(ctx context.Context, day string, items []markdown.Item) error {
	if len(items) == 0 {
		return nil
	}
	at, err := time.ParseInLocation(time.DateOnly, day, r.o.Now().Location())
	if err != nil {
		return err
	}
	log, err := r.newestLog(ctx, day)
	if err != nil {
		return err
	}
	items, err = r.withoutKnown(ctx, log, items, at)
	for err == nil && len(items) > 0 {
		n := log.room(items)
		err = r.putDaily(ctx, log, items[:n], at)
		items = items[n:]
		log = dailyLog{day: day, seq: log.seq + 1}
	}
	return err
}

// withoutKnown returns the items that have no line in a log yet. Files with lines of the
// others are recorded again. A batch is much smaller than a file, so a killed process can
// only have written lines to the last two.
func (r *rendering) withoutKnown(ctx context.Context, newest dailyLog, items []markdown.Item, at time.Time) (fresh []markdown.Item, err error) {
	known, fresh := newest.split(items)
	err = r.putDaily(ctx, newest, known, at)
	if err != nil || newest.seq == 0 {
		return fresh, err
	}
	before, err := r.readLog(ctx, newest.day, newest.seq-1)
	if err != nil {
		return nil, err
	}
	known, fresh = before.split(fresh)
	return fresh, r.putDaily(ctx, before, known, at)
}

// putDaily adds items to a file of a day's log.
func (r *rendering) putDaily(ctx context.Context, to dailyLog, items []markdown.Item, at time.Time) error {
	if len(items) == 0 {
		return nil
	}
	return r.rewrite(ctx, markdown.DailyPath(markdown.DailyDir, to.day, to.seq), func(content string) string {
		return markdown.AddDaily(content, items, at)
	})
}

// removeDaily removes lines from the logs of days known to memory, including archived
// ones.
func (r *rendering) removeDaily(ctx context.Context, gone, days map[string]bool) error {
	if len(gone) == 0 {
		return nil
	}
	known, err := store.Read(ctx, r.o.Store, func(v store.Reader) (paths []string, err error) {
		for day := range days {
			logs, err := documents.Logs(ctx, v, r.scope, day)
			if err != nil {
				return nil, err
			}
			for _, l := range logs {
				paths = append(paths, l.Path)
			}
		}
		return paths, nil
	})
	if err != nil {
		return err
	}
	slices.Sort(known)
	for _, p := range known {
		err := r.rewrite(ctx, p, func(content string) string { return markdown.Without(content, gone) })
		if err != nil && !files.IsFinal(strata.CodeOf(err)) {
			return err
		}
	}
	return nil
}
