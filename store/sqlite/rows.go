package sqlite

import (
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/strata-memory/strata/store/sqlite/database"
)

// scanner reads the columns of the row at hand.
type scanner func(dest ...any) error

// collect reads all rows and closes them.
func collect[T any](rows *sql.Rows, read func(scanner) (T, error)) ([]T, error) {
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := read(rows.Scan)
		if err != nil {
			return nil, wrap("read row", err)
		}
		out = append(out, v)
	}
	return out, wrap("read rows", rows.Err())
}

// defaultLimit and maxLimit bound the lists of the port.
const (
	defaultLimit = 100
	maxLimit     = 10_000
)

// clampLimit returns how many rows to list for a limit that was asked for.
func clampLimit(limit int) int {
	if limit <= 0 {
		return defaultLimit
	}
	return min(limit, maxLimit)
}

// micros is how times are stored: microseconds since 1970 in UTC.
func micros(t time.Time) int64 { return t.UnixMicro() }

// fromMicros is the inverse of micros.
func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }

// nullMicros is micros for a time that may be missing.
func nullMicros(t *time.Time) any {
	if t == nil {
		return nil
	}
	return micros(*t)
}

// fromNullMicros is the inverse of nullMicros.
func fromNullMicros(us sql.NullInt64) *time.Time {
	if !us.Valid {
		return nil
	}
	t := fromMicros(us.Int64)
	return &t
}

// encodeList returns list as JSON, and the empty string for an empty list.
func encodeList[T any](list []T) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	b, err := json.Marshal(list)
	return string(b), err
}

// decodeList is the inverse of encodeList for texts.
func decodeList(s string) ([]string, error) {
	if list, ok := plainList(s); ok {
		return list, nil
	}
	return decodeJSON[string](s)
}

// decodeJSON is the inverse of encodeList.
func decodeJSON[T any](s string) (list []T, err error) {
	if s != "" && json.Unmarshal([]byte(s), &list) != nil {
		return nil, database.Corrupt("read list", "a stored list is not JSON")
	}
	return list, nil
}

// plainList reads a list as encodeList writes it where no string needs an
// escape, which is nearly all of them. Package json takes ten times as long, a
// quarter of the time in which a search reads its facts.
func plainList(s string) (list []string, ok bool) {
	inner, opened := strings.CutPrefix(s, `["`)
	inner, closed := strings.CutSuffix(inner, `"]`)
	if !opened || !closed || !utf8.ValidString(inner) {
		return nil, false
	}
	for i := range len(inner) {
		if inner[i] < ' ' || inner[i] == '\\' {
			return nil, false
		}
	}
	list = strings.Split(inner, `","`)
	return list, !slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, `"`) })
}

// jsonList returns a list as the JSON array that json_each reads.
func jsonList(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	b, err := json.Marshal(list)
	if err != nil {
		return "[]" // strings always encode
	}
	return string(b)
}
