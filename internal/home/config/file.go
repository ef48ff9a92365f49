package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/plainfile"
)

// maxFile bounds config.toml, in bytes. The settings fit into a few hundred.
const maxFile = 1 << 20

// readFile returns the settings in a file by name; none if the file does not exist.
func readFile(path string) (map[string]string, error) {
	f, err := plainfile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fileError(path, "cannot be read", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, fileError(path, "is not a file", nil)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fileError(path, "cannot be read", err)
	}
	if len(data) > maxFile {
		return nil, fileError(path, "is longer than 1 MiB", nil)
	}
	return parse(path, data)
}

// parse parses the text of a settings file. Errors name path.
func parse(path string, data []byte) (map[string]string, error) {
	into := reflect.New(fileType())
	dec := toml.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into.Interface()); err != nil {
		return nil, tomlError(path, err)
	}
	values := make(map[string]string)
	i := 0
	for _, s := range Settings() {
		if s.NoFile {
			continue
		}
		field := into.Elem().Field(i)
		i++
		if field.IsNil() {
			continue
		}
		if s.Number {
			values[s.Name] = strconv.FormatInt(field.Elem().Int(), 10)
		} else {
			values[s.Name] = field.Elem().String()
		}
	}
	return values, nil
}

// fileType returns a struct type with one field for each setting a file may hold, so that
// the decoder knows every key and its type, and reports where a wrong one is.
func fileType() reflect.Type {
	var fields []reflect.StructField
	for _, s := range Settings() {
		if s.NoFile {
			continue
		}
		typ := reflect.TypeFor[*string]()
		if s.Number {
			typ = reflect.TypeFor[*int64]()
		}
		fields = append(fields, reflect.StructField{
			Name: "S_" + s.Name, Type: typ, Tag: reflect.StructTag(fmt.Sprintf(`toml:%q`, s.Name)),
		})
	}
	return reflect.StructOf(fields)
}

// tomlError adds file, line and column to an error of the decoder.
func tomlError(path string, err error) error {
	var missing *toml.StrictMissingError
	if errors.As(err, &missing) && len(missing.Errors) > 0 {
		first := missing.Errors[0]
		row, col := first.Position()
		return fileError(place(path, row, col), fmt.Sprintf("no such setting: %q", clip(strings.Join(first.Key(), "."))), nil)
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		row, col := bad.Position()
		return fileError(place(path, row, col), strings.TrimPrefix(bad.Error(), "toml: "), nil)
	}
	return fileError(path, "is not valid TOML", err)
}

// place formats a position as file:line:column.
func place(path string, row, col int) string {
	return fmt.Sprintf("%s:%d:%d", path, row, col)
}

// fileError returns the error for an invalid settings file.
func fileError(where, what string, err error) error {
	return &strata.Error{
		Code: strata.CodeInvalid, Op: "read settings", Message: where + ": " + what,
		Hint: "the settings are: " + strings.Join(fileKeys(), ", "), Err: err,
	}
}

// fileKeys returns the keys a file may hold.
func fileKeys() []string {
	var keys []string
	for _, s := range Settings() {
		if !s.NoFile {
			keys = append(keys, s.Name)
		}
	}
	return keys
}

// Change is a setting whose values differ between two files.
type Change struct {
	Name string `json:"name"`
	From string `json:"from,omitempty"` // empty if the first file does not set it
	To   string `json:"to,omitempty"`   // empty if the second does not
}

// Changes lists the settings in which a given config.toml differs from the one of a home,
// in the order of [Settings]. It returns an error if text is not a valid settings file.
// The home's own file counts as empty if it is missing or cannot be read.
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
