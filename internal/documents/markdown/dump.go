package markdown

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// dumpFront renders the tree of front matter with other values. Keys, order and comments
// are kept; white space and quotes may not be. It returns false if that fails.
func dumpFront(m *yaml.Node, want Front, eol string) (string, bool) {
	root := *m
	root.Style &^= yaml.FlowStyle
	set(&root, want.pairs())
	prov := want.Provenance.pairs()
	if k, v := find(&root, keyProvenance); k != nil && v.Kind == yaml.MappingNode {
		v.Style &^= yaml.FlowStyle
		set(v, prov)
	} else if text := want.Provenance.render("", "\n"); text != "" {
		set(&root, []pair{{keyProvenance, ""}})
		var doc yaml.Node
		if yaml.Load([]byte(text), &doc) != nil {
			return "", false
		}
		root.Content = append(root.Content, doc.Content[0].Content...)
	}
	out, err := yaml.Dump(&yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{&root}}, yaml.WithLineWidth(-1), yaml.WithIndent(2))
	if err != nil {
		return "", false
	}
	text := strings.ReplaceAll(string(out), "\n", eol)
	return text, says(text, want)
}

// set sets the keys of a mapping to their values, and removes keys with an empty value.
func set(m *yaml.Node, pairs []pair) {
	for _, p := range pairs {
		var doc yaml.Node
		if p.value != "" && yaml.Load([]byte("k: "+p.value), &doc) != nil {
			continue
		}
		kept := make([]*yaml.Node, 0, len(m.Content)+2)
		done := false
		for i := 0; i+1 < len(m.Content); i += 2 {
			k, v := m.Content[i], m.Content[i+1]
			if k.Value == p.key {
				if p.value == "" || done {
					continue
				}
				done = true
				value := *doc.Content[0].Content[1]
				value.HeadComment, value.LineComment, value.FootComment = v.HeadComment, v.LineComment, v.FootComment
				v = &value
			}
			kept = append(kept, k, v)
		}
		if !done && p.value != "" {
			kept = append(kept, &yaml.Node{Kind: yaml.ScalarNode, Value: p.key}, doc.Content[0].Content[1])
		}
		m.Content = kept
	}
}
