package bench

import (
	"os"
	"runtime"
	"strings"
)

// Machine describes the machine on which speed was measured.
type Machine struct {
	CPU   string `json:"cpu"` // the model, or the architecture if the system does not tell
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	Go    string `json:"go"`
}

// ThisMachine returns a description of this machine.
func ThisMachine() Machine {
	m := Machine{CPU: runtime.GOARCH, Cores: runtime.NumCPU(), OS: runtime.GOOS, Go: runtime.Version()}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return m // not Linux
	}
	for line := range strings.Lines(string(info)) {
		if name, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			m.CPU = strings.TrimSpace(model)
			break
		}
	}
	return m
}

// AnonymousMemory returns how much memory of this process, in bytes, is not backed by a
// file: its heap, its stacks, and what C code allocated. It does not include the page
// cache and mapped files. It returns 0 if the system does not tell.
func AnonymousMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return anonymous(string(status))
}

// anonymous finds RssAnon in the text of /proc/self/status.
func anonymous(status string) int64 {
	for line := range strings.Lines(status) {
		name, value, _ := strings.Cut(line, ":")
		if name != "RssAnon" {
			continue
		}
		var kib int64
		for _, c := range strings.TrimSpace(value) {
			if c < '0' || c > '9' {
				break
			}
			kib = 10*kib + int64(c-'0')
		}
		return kib << 10
	}
	return 0
}
