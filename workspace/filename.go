package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"

	"github.com/oklog/ulid/v2"
)

var (
	// plainName matches names that are the same on every file system.
	plainName = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,79}$`)
	// deviceName matches names that Windows reserves for devices.
	deviceName = lazyregexp.New(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])$`)
)

// fileName returns a name for a file or directory that belongs to s alone, even on a file
// system that ignores case or normalizes Unicode. Plain names and ULIDs in upper case
// stay as they are. Any other name becomes its plain characters, an equals sign, which
// plain names do not contain, and a hash of the whole.
func fileName(s string) string {
	id, err := ulid.ParseStrict(s)
	isULID := err == nil
	if isULID && id.String() == s || !isULID && plainName.MatchString(s) && !deviceName.MatchString(s) {
		return s
	}
	plain := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return -1
	}, strings.ToLower(s))
	sum := sha256.Sum256([]byte(s))
	return strings.TrimLeft(plain[:min(len(plain), 40)], "-") + "=" + hex.EncodeToString(sum[:16])
}
