package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store/files/filestest"
)

// dreamInProject has the project dream past its gates.
func dreamInProject(t *testing.T, e *engine.Engine) strata.Dream {
	t.Helper()
	res, err := e.Dream(context.Background(), project, strata.DreamForced)
	if err != nil || res.Dream == nil || res.Repeated {
		t.Fatalf("it did not dream: %+v, %v", res, err)
	}
	return *res.Dream
}

// A skill that rules made and that nobody opens is archived by a dream, which says so;
// one that is opened stays for as long again, and so does one that a person wrote in.
func TestASkillThatNobodyOpensIsArchived(t *testing.T) {
	const day = 24 * time.Hour
	ctx := context.Background()
	tree, clock := filestest.NewMemory(), newTicking(noon)
	e := open(t, clock.in, inTree(tree))
	taught(t, e, "monday", recovered("12"))
	list, _ := skills(t, e)
	s := list[0]
	promote := func() {
		t.Helper()
		if _, err := e.SetSkill(ctx, project.View(), s.Dir, markdown.SkillActive, edit.PromoteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	status := func(when, want string) {
		t.Helper()
		if _, shown := skills(t, e); shown != want {
			t.Errorf("%s: %s, want %s", when, shown, want)
		}
	}
	clock.pass(400 * day)
	dreamInProject(t, e)
	status("a proposed one", "proposed 1;")
	promote()
	clock.pass(170 * day)
	if _, err := e.Resolve(ctx, project.View(), "memory://root/"+s.Path); err != nil {
		t.Fatal(err)
	}
	opened := clock.now()
	clock.pass(170 * day)
	dreamInProject(t, e)
	status("opened 170 days ago", "active 1;")
	if list, _ := skills(t, e); !list[0].OpenedAt.Equal(opened) {
		t.Errorf("opened at %v, want %v", list[0].OpenedAt, opened)
	}
	clock.pass(11 * day)
	d := dreamInProject(t, e)
	status("opened 181 days ago", "archived 1;")
	if len(d.Items) != 1 || d.Items[0].Outcome != strata.DreamUnused || d.Items[0].Memory != s.ID || d.Items[0].Reason != "nobody opened it in 181 days" {
		t.Errorf("the dream says %+v", d.Items)
	}
	settled(t, e, tree, project)
	files := tree.Files(project)
	if want := "### Skills archived\n\n- " + s.Path + " - nobody opened it in 181 days"; !strings.Contains(files[markdown.DreamsPath], want) {
		t.Errorf("%q is not in\n%s", want, files[markdown.DreamsPath])
	}
	decided, err := e.Decisions(ctx, project.View(), strata.DecisionFilter{Path: s.Path, Limit: 1})
	if err != nil || len(decided) != 1 || decided[0].Origin != strata.OriginDream || !strings.Contains(strings.Join(decided[0].Notes, " "), "nobody opened it") {
		t.Errorf("the decision: %+v, %v", decided, err)
	}

	promote()
	settled(t, e, tree, project)
	mine := strings.TrimRight(tree.Files(project)[s.Path], "\n") + "\n\nAsk Kim first.\n"
	if err := tree.Put(project, s.Path, []byte(mine), clock.now()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Sync(ctx, project.View()); err != nil {
		t.Fatal(err)
	}
	clock.pass(400 * day)
	dreamInProject(t, e)
	status("one that a person wrote in", "active 1;")
}
