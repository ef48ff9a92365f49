package backup

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"strings"

	"filippo.io/age"

	"github.com/strata-memory/strata"
)

// An encrypted backup is an age file that contains an unencrypted backup. See
// https://age-encryption.org/v1.

const (
	ageMagic   = "age-encryption.org/v1\n"
	homeStanza = "strata-home" // in the header, beside those of recipients
	ageSuffix  = ".age"
)

// ParseRecipients parses the public keys of those who can restore a backup: keys
// themselves, and a file with one key per line. An empty file name means no file.
func ParseRecipients(keys []string, file string) (list []age.Recipient, err error) {
	const op, hint = "backup", "age-keygen makes a key; its public part begins with age1"
	for _, key := range keys {
		r, err := age.ParseX25519Recipient(strings.TrimSpace(key))
		if err != nil {
			return nil, strata.Invalid(op, "a recipient is not an age public key", hint)
		}
		list = append(list, r)
	}
	if file == "" {
		return list, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, unavailable("the recipients file cannot be read", err)
	}
	more, err := age.ParseRecipients(bytes.NewReader(data))
	if err != nil {
		return nil, strata.Invalid(op, file+" holds no age public keys", hint)
	}
	return append(list, more...), nil
}

// ReadIdentities reads files of private keys.
func ReadIdentities(files []string) (list []age.Identity, err error) {
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, unavailable("the key file cannot be read", err)
		}
		more, err := age.ParseIdentities(bytes.NewReader(data))
		if err != nil { // the error may contain a key
			return nil, strata.Invalid("restore", file+" holds no age private keys", "name the file that age-keygen wrote")
		}
		list = append(list, more...)
	}
	return list, nil
}

// homeMark identifies the home of an encrypted backup without a key, so that old backups
// can be removed. It is the path of the home, of which the file contains a hash. It
// decrypts nothing.
type homeMark string

// Wrap returns a stanza that age readers ignore.
func (home homeMark) Wrap([]byte) ([]*age.Stanza, error) {
	return []*age.Stanza{{Type: homeStanza, Args: []string{home.hash()}}}, nil
}

func (home homeMark) hash() string {
	sum := sha256.Sum256([]byte(home))
	return base64.RawStdEncoding.EncodeToString(sum[:])
}

// isMarked reports whether the header of an encrypted file has the mark of a home.
func isMarked(from io.Reader, home string) bool {
	lines := bufio.NewScanner(io.LimitReader(from, 1<<20))
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "---") {
		if lines.Text() == "-> "+homeStanza+" "+homeMark(home).hash() {
			return true
		}
	}
	return false
}

// isEncrypted reports whether a file is an age file.
func isEncrypted(f io.ReaderAt) bool {
	head := make([]byte, len(ageMagic))
	_, err := f.ReadAt(head, 0)
	return err == nil && string(head) == ageMagic
}

// packed returns a reader of the compressed bytes of a backup. The seal of an unencrypted
// backup is verified and left out. That of an encrypted one is included, since age
// verifies all bytes before it returns them.
func packed(ctx context.Context, f *os.File, keys []age.Identity) (io.Reader, error) {
	if !isEncrypted(f) {
		length, err := unsealed(ctx, f)
		return io.NewSectionReader(f, 0, length), err
	}
	const op = "read backup"
	if len(keys) == 0 {
		return nil, strata.Invalid(op, "the backup is encrypted", "pass --identity with the file of a key that can decrypt it")
	}
	clear, err := age.Decrypt(&reader{ctx: ctx, from: f, report: func(int64) {}}, keys...)
	var none *age.NoIdentityMatchError
	if errors.As(err, &none) {
		return nil, strata.Invalid(op, "the backup is encrypted for another key", "pass --identity with the file of a key that can decrypt it")
	}
	if err != nil {
		return nil, damaged("it cannot be decrypted", err)
	}
	return clear, nil
}
