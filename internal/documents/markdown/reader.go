package markdown

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/strata-memory/strata"
)

// reader reads values from a mapping and keeps the first problem.
type reader struct {
	lenient bool // ignore unknown keys, which others may know
	problem *Problem
}

func (r *reader) fail(n *yaml.Node, format string, args ...any) {
	if r.problem == nil {
		r.problem = &Problem{n.Line + frontLine - 1, max(n.Column, 1), fmt.Sprintf(format, args...)}
	}
}

// each calls take for each key of a mapping with its value. take reports whether it knows
// the key.
func (r *reader) each(m *yaml.Node, inside string, take func(key string, v *yaml.Node) bool) {
	seen := make(map[string]bool, len(m.Content)/2)
	for i := 0; i+1 < len(m.Content); i += 2 {
		k, v := m.Content[i], m.Content[i+1]
		switch {
		case k.Kind != yaml.ScalarNode:
			r.fail(k, "a key%s is not a word", inside)
		case seen[k.Value]:
			r.fail(k, "the key %q%s appears twice", k.Value, inside)
		case !take(k.Value, v) && !r.lenient:
			r.fail(k, "unknown key %q%s", k.Value, inside)
		}
		seen[k.Value] = true
	}
}

// front reads the values of front matter.
func (r *reader) front(m *yaml.Node) Front {
	var f Front
	r.each(m, "", func(key string, v *yaml.Node) bool {
		switch key {
		case keyName:
			f.Name = r.text(key, v, MaxName)
		case keyDescription:
			f.Description = r.text(key, v, MaxDescription)
		case keyType:
			f.Type = strata.Type(r.text(key, v, 0))
			if f.Type != "" && f.Type.Validate() != nil {
				r.fail(v, "there is no type %q: use user, feedback, project or reference", f.Type)
			}
		case keyStatus:
			f.Status = SkillStatus(r.text(key, v, 0))
			if f.Status.Validate() != nil {
				r.fail(v, "there is no status %q: use proposed, active or archived", f.Status)
			}
		case keyID:
			f.ID = r.text(key, v, 0)
		case keyBase:
			f.Base = parseBase(r.text(key, v, 0))
		case keyScope:
			f.Scope = strata.ScopeKind(r.text(key, v, 0))
			switch f.Scope {
			case "", strata.ScopeGlobal, strata.ScopeWorkspace, strata.ScopeAgent:
			default:
				r.fail(v, "there is no scope %q: use global, workspace or agent", f.Scope)
			}
		case keyAgent:
			f.Agent = r.text(key, v, 0)
			if f.Agent != "" && strata.ValidateName("agent", f.Agent) != nil {
				r.fail(v, "the agent has no plain name")
			}
		case keyTier:
			f.Tier = strata.Tier(r.text(key, v, 0))
			switch f.Tier {
			case "", strata.TierWorkspace, strata.TierGlobal:
			default:
				r.fail(v, "there is no tier %q: use workspace or global", f.Tier)
			}
		case keyProvenance:
			f.Provenance = r.provenance(v)
		default:
			return false
		}
		return true
	})
	return f
}

func (r *reader) provenance(m *yaml.Node) Provenance {
	var p Provenance
	if isNull(m) {
		return p
	}
	if m.Kind != yaml.MappingNode {
		r.fail(m, "provenance is not a list of keys and values")
		return p
	}
	r.each(m, " in provenance", func(key string, v *yaml.Node) bool {
		switch key {
		case keySessions:
			p.Sessions = r.list(key, v)
		case keyTurns:
			p.Turns = r.list(key, v)
		case keyFacts:
			p.Facts = r.list(key, v)
		case keyActor:
			p.Actor = r.text(key, v, 0)
		case keyConfidence:
			s := r.text(key, v, 0)
			n, err := strconv.ParseFloat(s, 64)
			if s != "" && (err != nil || !(n >= 0 && n <= 1)) {
				r.fail(v, "the confidence %q is not a number from 0 to 1", s)
				break
			}
			p.Confidence = cleanConfidence(n)
		case keySuperseded:
			p.SupersededBy = r.text(key, v, 0)
		case keyCreated:
			p.CreatedAt = r.time(key, v)
		case keyUpdated:
			p.UpdatedAt = r.time(key, v)
		default:
			return false
		}
		return true
	})
	return p
}

// complete reports required keys that are missing and keys that are not allowed.
func (r *reader) complete(f Front, m *yaml.Node) {
	r.require(m, pair{keyName, f.Name}, pair{keyDescription, f.Description}, pair{keyType, string(f.Type)})
	start := &yaml.Node{Line: 0, Column: 1} // the opening fence
	switch {
	case f.Status != "":
		k, _ := find(m, keyStatus)
		r.fail(k, "a note has no %s, only a skill has", keyStatus)
	case f.Scope == strata.ScopeAgent && f.Agent == "":
		r.fail(start, "the scope is agent, and no agent is named")
	case f.Scope != strata.ScopeAgent && f.Agent != "":
		k, _ := find(m, keyAgent)
		r.fail(k, "an agent is named, and the scope is not agent")
	case f.Scope != strata.ScopeAgent && f.Tier != "":
		k, _ := find(m, keyTier)
		r.fail(k, "a tier is named, and the scope is not agent")
	}
}

// require reports the first of some keys that has no value.
func (r *reader) require(m *yaml.Node, keys ...pair) {
	for _, p := range keys {
		if p.value == "" {
			at := &yaml.Node{Line: 0, Column: 1} // the opening fence
			if _, v := find(m, p.key); v != nil {
				at = v
			}
			r.fail(at, "%s is missing", p.key)
		}
	}
}

// text reads a value as one line of at most limit characters; 0 means 256 bytes.
func (r *reader) text(key string, v *yaml.Node, limit int) string {
	if isNull(v) {
		return ""
	}
	if v.Kind != yaml.ScalarNode || v.Style&yaml.TaggedStyle != 0 || v.Anchor != "" {
		r.fail(v, "%s is not a plain text", key)
		return ""
	}
	s := oneLine(v.Value)
	switch {
	case limit > 0 && utf8.RuneCountInString(s) > limit:
		r.fail(v, "%s is longer than %d characters", key, limit)
	case limit == 0 && len(s) > strata.MaxNameBytes:
		r.fail(v, "%s is longer than %d bytes", key, strata.MaxNameBytes)
	}
	return s
}

func (r *reader) list(key string, v *yaml.Node) []string {
	if isNull(v) {
		return nil
	}
	if v.Kind != yaml.SequenceNode || v.Style&yaml.TaggedStyle != 0 || v.Anchor != "" {
		r.fail(v, "%s is not a list", key)
		return nil
	}
	if len(v.Content) > MaxSessions {
		r.fail(v, "%s has more than %d items", key, MaxSessions)
		return nil
	}
	var out []string
	for _, item := range v.Content {
		if s := r.text("an item of "+key, item, 0); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// times returns the layouts in which times may be written. Times without a zone are in
// UTC.
func times() []string {
	return []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly}
}

func (r *reader) time(key string, v *yaml.Node) time.Time {
	s := r.text(key, v, 0)
	if s == "" {
		return time.Time{}
	}
	for _, form := range times() {
		if t, err := time.Parse(form, s); err == nil {
			return cleanTime(t)
		}
	}
	r.fail(v, "%s is not a time: write it as 2006-01-02T15:04:05Z", key)
	return time.Time{}
}

// isNull reports whether a value is empty or null.
func isNull(v *yaml.Node) bool {
	return v.Kind == yaml.ScalarNode && v.Tag == "!!null" && v.Anchor == "" && v.Style&yaml.TaggedStyle == 0
}

// find returns the first key of a mapping with this name and its value, or nil.
func find(m *yaml.Node, key string) (k, v *yaml.Node) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Kind == yaml.ScalarNode && m.Content[i].Value == key {
			return m.Content[i], m.Content[i+1]
		}
	}
	return nil, nil
}
