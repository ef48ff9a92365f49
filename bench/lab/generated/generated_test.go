package generated

import (
	"reflect"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

func TestConversations(t *testing.T) {
	c := Conversations(1)
	messages := make(map[string]Message)
	long, longest, shortest := 0, 0, 1000
	for _, m := range c.Messages {
		if _, ok := messages[m.ID]; ok {
			t.Fatalf("two messages %s", m.ID)
		}
		if strings.Contains(m.Text, "{") && !strings.Contains(m.Text, "```") {
			t.Errorf("%s has a place that is not filled: %s", m.ID, m.Text)
		}
		messages[m.ID] = m
		if n := len(strings.Fields(m.Text)); m.Role == strata.RoleAssistant && n > 150 {
			long++
			longest, shortest = max(longest, n), min(shortest, n)
		}
	}
	kinds := make(map[string]int)
	for _, q := range c.Questions {
		kinds[q.Kind]++
		if _, ok := messages[q.Answer]; ok == (q.Kind == KindNoAnswer) {
			t.Errorf("question %s (%s) has the answer %q", q.ID, q.Kind, q.Answer)
		}
		if (len(q.Superseded) > 0) != (q.Kind == KindUpdate) {
			t.Errorf("question %s (%s) has %d superseded values", q.ID, q.Kind, len(q.Superseded))
		}
		for _, id := range q.Superseded {
			if !messages[id].At.Before(messages[q.Answer].At) {
				t.Errorf("%s supersedes %s, which is not older", q.Answer, id)
			}
		}
	}
	t.Logf("%d messages, %d long answers of %d to %d words, questions %v", len(c.Messages), long, shortest, longest, kinds)
	if !reflect.DeepEqual(c, Conversations(1)) {
		t.Error("one seed makes two different conversations")
	}
	if reflect.DeepEqual(c, Conversations(2)) {
		t.Error("two seeds make the same conversations")
	}
}
