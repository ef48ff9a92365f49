package output

import (
	"strconv"

	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/ops"
)

func (p *Page) skills(list []ops.Skill) {
	t := table.Table{Header: []string{"SKILL", "STATUS", "LEARNT", "OPENED", "SCOPE", "WHEN IT IS OF USE"}, Elastic: 5, Kinds: map[int]bool{1: true}}
	for _, s := range list {
		text, learnt, opened := terminal.Clean(s.Description), "", "never"
		if s.OpenedAt != nil {
			opened = p.when(*s.OpenedAt)
		}
		switch {
		case s.ShadowedBy != "":
			text = "(hidden by that of " + s.ShadowedBy + ") " + text
		case s.Problem != "":
			text = "(" + terminal.Clean(s.Problem) + ") " + text
		}
		if s.Learnt > 0 {
			learnt = strconv.Itoa(s.Learnt) + "×"
		}
		status := string(s.Status)
		if s.Foreign {
			status = notTrusted
		}
		t.Add(s.Name, status, learnt, opened, p.Scope(s.Scope), text)
	}
	p.list(t, "no skills; a tool that fails and then works proposes one, and strata skill promote makes one of a note")
}

// skill writes the text of a skill. What else there is to know of it are notes, so that
// the text can be sent on.
func (p *Page) skill(s ops.SkillText) {
	p.note("%s of %s, %s", s.Path, s.Scope, s.Status)
	if s.Foreign {
		p.note("%s", foreignNote)
	}
	if s.Learnt > 0 {
		p.note("learnt in %s", Count(s.Learnt, "session"))
	}
	if s.Problem != "" {
		p.note("%s", s.Problem)
	}
	p.whole(s.Content)
}
