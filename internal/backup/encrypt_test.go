package backup_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/backup"
)

// An encrypted backup is of use to the owner of its key alone, every change of it is
// found, and a rotation knows whose it is without a key.
func TestCreate_Encrypts(t *testing.T) {
	home, dir := filepath.Join(t.TempDir(), "home"), t.TempDir()
	mem := open(t, home)
	fill(t, mem)
	own, err := age.GenerateX25519Identity()
	ok(t, err)
	other, err := age.GenerateX25519Identity()
	ok(t, err)
	to, err := backup.ParseRecipients([]string{own.Recipient().String()}, "")
	ok(t, err)
	o := backup.Options{Home: home, To: dir, Keep: 1, Now: noon, Recipients: to}
	c, err := backup.Create(t.Context(), o)
	ok(t, err)
	data, err := os.ReadFile(c.Path)
	ok(t, err)
	if filepath.Ext(c.Path) != ".age" || bytes.Contains(data, []byte("manifest.json")) || bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		t.Errorf("%s is not encrypted", c.Path)
	}
	restore := func(from string, keys ...age.Identity) (string, error) {
		to := filepath.Join(t.TempDir(), "restored")
		_, err := backup.Restore(t.Context(), backup.RestoreOptions{From: from, Home: to, Now: noon, Identities: keys})
		return to, err
	}
	for name, keys := range map[string][]age.Identity{"no key": nil, "another key": {other}} {
		to, err := restore(c.Path, keys...)
		if strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("with %s: %v", name, err)
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("with %s there is a home", name)
		}
	}
	restored, err := restore(c.Path, other, own)
	ok(t, err)
	want, got := rows(t, home), rows(t, restored)
	if len(got) == 0 || len(got) != len(want) {
		t.Errorf("%d rows were restored, want %d", len(got), len(want))
	}
	r := random(t)
	changed := filepath.Join(t.TempDir(), "changed")
	for range 20 {
		bad := bytes.Clone(data)
		at := r.IntN(len(bad))
		bad[at] ^= 1 << r.IntN(8)
		ok(t, os.WriteFile(changed, bad, 0o600))
		if _, err := restore(changed, own); err == nil {
			t.Errorf("a change of byte %d was not found", at)
		}
		ok(t, os.WriteFile(changed, data[:at], 0o600))
		if _, err := restore(changed, own); err == nil {
			t.Errorf("it was cut off at %d, and nobody noticed", at)
		}
	}
	foreign := o
	foreign.Home, foreign.Now = restored, noon.Add(time.Hour)
	_, err = backup.Create(t.Context(), foreign)
	ok(t, err)
	o.Now = noon.AddDate(0, 0, 1)
	next, err := backup.Create(t.Context(), o)
	ok(t, err)
	if len(next.Removed) != 1 || next.Removed[0] != c.Path {
		t.Errorf("a rotation removed %v", next.Removed)
	}
}
