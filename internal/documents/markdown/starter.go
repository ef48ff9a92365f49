package markdown

// Starter returns the initial content of a standard file, or "" for other paths. The
// hints are comments, which are neither shown in prompts nor searched.
func Starter(path string) string {
	switch path {
	case "AGENTS.md":
		return `# How to work here

<!-- Standing instructions for agents: how to build and test, conventions, what to leave alone. -->
<!-- Keep it short: all of it is read at the start of every session. -->
`
	case "SOUL.md":
		return `# Who the agent is

<!-- Character and tone: how it speaks, what it values, what it never does. -->
`
	case "USER.md":
		return `# About the user

<!-- Who you are and how you like to work. Shown in your own sessions only, never in a group. -->
`
	case "HEARTBEAT.md":
		return `# What to do unasked

<!-- One rule an item. Begin with "every 30m:" or "at 09:00:" to say when; without, it holds at every heartbeat. -->
<!-- Example: - every day at 09:00: say what is due today -->
`
	case "MEMORY.md":
		return `# Memory

<!-- Write anywhere: your text stays as it is. Strata writes its own lines only: the index below, and blocks it marks. -->

<!-- strata:index -->
<!-- /strata:index -->
`
	}
	return ""
}
