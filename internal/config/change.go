package config

// Change is a setting that two files have different values for.
type Change struct {
	Name string `json:"name"`
	From string `json:"from,omitempty"` // empty where the first file does not have it
	To   string `json:"to,omitempty"`   // empty where the second does not
}

// Changes lists in which settings a config.toml differs from that of a home, in the order
// of [Settings]. A text that is none is refused. The home's own counts as empty where it is
// missing or cannot be read.
func Changes(home string, text []byte) ([]Change, error) {
	if len(text) > maxFile {
		return nil, fileError(FileName, "is longer than 1 MiB", nil)
	}
	after, err := parse(FileName, text)
	if err != nil {
		return nil, err
	}
	before, _ := readFile(Path(home))
	var list []Change
	for _, s := range Settings() {
		if v := after[s.Name]; v != "" {
			if err := s.check(v); err != nil {
				return nil, refuse(Value{Name: s.Name, Value: v, Source: FromFile, Origin: FileName}, err)
			}
		}
		if before[s.Name] != after[s.Name] {
			list = append(list, Change{s.Name, before[s.Name], after[s.Name]})
		}
	}
	return list, nil
}
