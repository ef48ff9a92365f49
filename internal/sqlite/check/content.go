package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"

	"github.com/strata-memory/strata/store"
)

// Sections looks for sections that differ from what was written. The text of a
// section is part of its document's content.
func (c Checker) Sections(ctx context.Context) (out []store.Problem, err error) {
	var list []int64
	var content []byte
	document := int64(-1)
	err = c.each(ctx, `
		SELECT c.number, c.document, c.start, c.size, c.sum, c.headings, c.text,
			iif(c.seq = (SELECT min(seq) FROM section AS f WHERE f.document = c.document), d.content, NULL)
		FROM section AS c JOIN document AS d ON d.number = c.document ORDER BY c.document, c.seq`, nil,
		func(scan func(...any) error) (bool, error) {
			var number, of, start, size int64
			damaged := false
			var sum, whole []byte
			var headings, text string
			if err := scan(&number, &of, &start, &size, &sum, &headings, &text, &whole); err != nil {
				return false, err
			}
			if of != document {
				document, content = of, whole
			}
			if size > 0 && start >= 0 && start+size <= int64(len(content)) {
				text = string(content[start : start+size])
			}
			var above []string
			if headings != "" {
				err := json.Unmarshal([]byte(headings), &above)
				damaged = err != nil
			}
			if damaged || SectionSum(text, above) != string(sum) {
				list = append(list, number)
			}
			return len(list) < Most, nil
		})
	if err != nil {
		return nil, err
	}
	return c.OfNumbers(ctx, "damaged_section", "the section is not what was written: its row in table section, or its file's in table document, has changed by itself", list)
}

// States looks for saved session states that differ from what was saved.
func (c Checker) States(ctx context.Context) (out []store.Problem, err error) {
	err = c.each(ctx, `SELECT s.key, x.session, x.sum, x.data FROM session_state AS x JOIN scope AS s ON s.no = x.scope_no`, nil,
		func(scan func(...any) error) (bool, error) {
			var key, session string
			var sum, data []byte
			if err := scan(&key, &session, &sum, &data); err != nil {
				return false, err
			}
			if got := sha256.Sum256(data); !bytes.Equal(got[:], sum) {
				out = append(out, store.Problem{Kind: "damaged_state", Scope: key, Ref: session,
					Detail: "the saved state of the session is damaged; it will be set aside, and the session goes on from its turns"})
			}
			return len(out) < Most, nil
		})
	return out, err
}
