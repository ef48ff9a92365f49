//go:build race

package backup_test

// underRace reports whether the race detector, which multiplies memory, is built in.
const underRace = true
