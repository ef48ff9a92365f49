package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/strata-memory/strata/bench/generated"
)

// DefaultSeed is that of the generated collection whose figures are kept.
const DefaultSeed = 1

// ReadGenerated makes the conversations of a seed, see package generated. Their
// questions are grouped by kind; those that nothing answers have no judgment.
func ReadGenerated(seed uint64) Collection {
	made := generated.Conversations(seed)
	c := Collection{Relevant: make(map[string]map[string]int), Superseded: make(map[string]map[string]bool)}
	for _, m := range made.Messages {
		c.Documents = append(c.Documents, Document{
			ID: m.ID, Text: m.Text, Scope: m.Scope, Session: m.Session, Seq: m.Seq, Speaker: m.Speaker, Role: m.Role, At: m.At,
			Heading: m.Speaker,
		})
	}
	for _, q := range made.Questions {
		c.Queries = append(c.Queries, Query{ID: q.ID, Text: q.Text, Scope: q.Scope, Group: q.Kind})
		if q.Answer == "" {
			continue
		}
		c.relevant(q.ID, q.Answer, 1)
		for _, old := range q.Superseded {
			if c.Superseded[q.ID] == nil {
				c.Superseded[q.ID] = make(map[string]bool)
			}
			c.Superseded[q.ID][old] = true
		}
	}
	return c
}

// hashConversations identifies the conversations of a seed, and changes when
// what makes them does.
func hashConversations(seed uint64) (Data, error) {
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode(generated.Conversations(seed)); err != nil {
		return Data{}, fmt.Errorf("hash generated conversations: %w", err)
	}
	return Data{Name: CollectionGenerated, Seed: seed, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}
