package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
)

// locomoSample is one conversation of the LoCoMo data (Maharana et al., 2024).
type locomoSample struct {
	ID           string                     `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	Questions    []struct {
		Question string   `json:"question"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

// locomoTurn is a message of a conversation.
type locomoTurn struct {
	ID      string `json:"dia_id"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	Caption string `json:"blip_caption"`
	Query   string `json:"query"`
}

// locomoGroups holds the names of the categories of questions.
var locomoGroups = map[int]string{
	1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial",
}

// ReadLoCoMo reads LoCoMo's JSON. Each conversation is a scope, and each of its sessions
// a session. The id of a document is <sample_id>/<dia_id>, that of a query
// <sample_id>/q<index in qa>. The text of a turn is what was said, the caption of a
// shared image and, unless plain is set, the words by which the image was searched, which
// nobody in the conversation knew. The heading, of time and speaker, is what retrieval in
// the LoCoMo paper reads with it. ReadLoCoMo ignores evidence that names no turn.
func ReadLoCoMo(path string, plain bool) (Collection, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Collection{}, &strata.Error{Code: strata.CodeNotFound, Op: "read data", Message: "there is no " + path,
			Hint: "pass the LoCoMo JSON with --data"}
	}
	if err != nil {
		return Collection{}, fmt.Errorf("read data: %w", err)
	}
	defer f.Close()
	return readLoCoMo(f, plain)
}

func readLoCoMo(r io.Reader, plain bool) (Collection, error) {
	c := Collection{Relevant: make(map[string]map[string]int)}
	var samples []locomoSample
	if err := json.NewDecoder(r).Decode(&samples); err != nil {
		return c, strata.Invalid("read data", "not LoCoMo's JSON: "+err.Error(), "pass the file as it was published")
	}
	for _, s := range samples {
		known := make(map[string]bool)
		for _, n := range s.sessions() {
			documents, err := s.session(n, plain)
			if err != nil {
				return c, strata.Invalid("read data", fmt.Sprintf("%s session %d: %v", s.ID, n, err), "pass the file as it was published")
			}
			for _, d := range documents {
				known[d.ID] = true
			}
			c.Documents = append(c.Documents, documents...)
		}
		for i, q := range s.Questions {
			id := fmt.Sprintf("%s/q%d", s.ID, i)
			c.Queries = append(c.Queries, Query{ID: id, Text: q.Question, Scope: s.ID, Group: locomoGroups[q.Category]})
			for _, turn := range evidence(q.Evidence) {
				if doc := s.ID + "/" + turn; known[doc] {
					c.relevant(id, doc, 1)
				}
			}
		}
	}
	return c, nil
}

// sessions returns the numbers of the sessions that hold turns, in order.
func (s locomoSample) sessions() []int {
	var out []int
	for key := range maps.Keys(s.Conversation) {
		if n, err := strconv.Atoi(strings.TrimPrefix(key, "session_")); err == nil && strings.HasPrefix(key, "session_") {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// session returns the turns of a session as documents.
func (s locomoSample) session(n int, plain bool) ([]Document, error) {
	name := fmt.Sprintf("session_%d", n)
	var turns []locomoTurn
	if err := json.Unmarshal(s.Conversation[name], &turns); err != nil {
		return nil, err
	}
	var when string
	if raw := s.Conversation[name+"_date_time"]; raw != nil {
		if err := json.Unmarshal(raw, &when); err != nil {
			return nil, err
		}
	}
	at, err := parseTime(when)
	if err != nil {
		return nil, err
	}
	var out []Document
	for i, t := range turns {
		if plain {
			t.Query = ""
		}
		var parts []string
		for _, part := range []string{t.Text, t.Caption, t.Query} {
			if strings.TrimSpace(part) != "" {
				parts = append(parts, part)
			}
		}
		out = append(out, Document{
			ID: s.ID + "/" + t.ID, Text: strings.Join(parts, "\n"), Scope: s.ID,
			Session: name, Seq: int64(i + 1), Speaker: t.Speaker, At: at,
			Heading: strings.TrimSpace(when + " " + t.Speaker),
		})
	}
	return out, nil
}

// evidenceID matches the ids of turns. A string may hold several ids, and they may have
// leading zeros or an extra colon.
var evidenceID = regexp.MustCompile(`D:?0*(\d+):0*(\d+)`)

// evidence returns the ids of the turns that a question's evidence names.
func evidence(raw []string) []string {
	var out []string
	for _, s := range raw {
		for _, m := range evidenceID.FindAllStringSubmatch(s, -1) {
			id := "D" + m[1] + ":" + m[2]
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}
