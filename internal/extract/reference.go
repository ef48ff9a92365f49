package extract

import (
	"strings"

	"github.com/strata-memory/strata"
)

// referenceRules say where something is found.
func referenceRules() []rule {
	ref := func(name, heads, pattern string, reads func([]string) (reading, bool)) rule {
		return rule{name: name, heads: heads, pattern: pattern, kind: strata.TypeReference, sure: sure, reads: reads}
	}
	return []rule{
		ref("location", "*", `(.{2,60}?) (?:is|are|lives?|sits?|stays?|can be found|is found|are kept|is kept|is hosted|are hosted|is documented|are documented|is stored|are stored|is served)(?: now| currently| still)?(?: at| in| under| on| from)? ((?:{url}|{path}))(?:$|[ ,)])`, location),
		ref("location", "*", `({url}) (?:is|has|holds|shows|contains) (?:the |our |my )?(.{2,80})`, locationFirst),
		ref("location", "*", `([\pL][\pL\d '-]{1,40}): ({url})$`, labelled),
		ref("location", "see", `see ({url}|{path}) (?:for|about|on|to) (.{3,80})`, nil),
		ref("location", "the our all bugs issues tickets tasks docs runbooks incidents designs specs meeting", `(?:the |our |all )?(?:[\pL-]+ ){0,2}?(?:bugs?|issues|tickets|tasks|backlog|docs|documentation|runbooks?|playbooks?|incidents|designs?|mock-?ups|specs?|notes|meeting notes|changelog|roadmap|diagrams|credentials|recordings|slides|wiki|handbook|dashboards?|feature requests|postmortems?|post-mortems|on-call rota|source) (?:is|are|go|goes|lives?|sits?)(?: now)? (?:tracked |kept |filed |stored |written |documented |found |managed |linked |recorded |posted |hosted |)?(?:in|on|at|to|under|into) (.+)`, tracker),
	}
}

// temporary is a place where nothing stays.
var temporary = expr(`(?i)(?:^|\s|://)(?:(?:/private)?/(?:var/)?tmp(?:/|$|\s)|/dev/shm|%te?mp%|\$\{?te?mp(?:dir)?\b|\S+[\\/]te?mp[\\/])`)

// handled is what a message asks to be done with the thing that it names.
var handled = expr(`(?i)(?:^|[,.;:!?–—-] ?|\b(?:and|so|then|but) )(?:(?:please|can you|could you|would you|then|just|now|and|kindly) )*(?:delete|remove|open|move|rename|convert|compress|unzip|unpack|extract|upload|rewrite|fix|edit|clean|parse|load|import|summari[sz]e|translate|run|send|copy|print|sort|split|merge|process|review|debug|plot|format|resize) (?:it|that|them|those|this)\b`)

var badSubject = expr(`(?i)^(?:the )?(?:error|problem|issue|bug|it|this|that|there|here|he|she|they|i|you|what|which|where|file not found|exception|stack ?trace|output|warning|message|log|traceback)\b`)

func location(m []string) (reading, bool) {
	if badSubject.MatchString(m[1]) || strings.Contains(m[1], "://") {
		return reading{}, false
	}
	if temporary.MatchString(m[2]) || !strings.Contains(m[2], "://") && !looksLikePath(m[2]) {
		return reading{}, false
	}
	return thing(m[1], strings.TrimRight(m[2], ".,;")), true
}

func locationFirst(m []string) (reading, bool) {
	if strings.Contains(m[2], "down") || strings.Contains(m[2], "not ") {
		return reading{}, false
	}
	return thing("the "+m[2], m[1]), concrete(m[2])
}

var notLabel = expr(`(?i)^(?:error|warning|note|info|debug|fatal|panic|https?|get|post|put|delete|fix|check|look|open|read|visit|see|try|update|todo|hint|url|link|source|summari[sz]e|example|failed)\b`)

func labelled(m []string) (reading, bool) {
	return reading{}, !notLabel.MatchString(m[1]) && words(m[1]) <= 5
}

var (
	fileName  = expr(`/[\w-]+\.\w+$`)
	topFolder = expr(`^(?:docs|src|cmd|internal|pkg|lib|test|tests|scripts|config|deploy|assets|migrations|infra|tools|web|app)/`)
)

// looksLikePath reports whether a text is a path, unlike "and/or" and dates such as 3/4.
func looksLikePath(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~") || strings.Count(s, "/") > 1 ||
		strings.HasSuffix(s, "/") || fileName.MatchString(s) || topFolder.MatchString(s)
}

var knownPlace = expr(`(?i)^(?:the |our |a )?(?:[\pL#@][\pL\d-]* )*?(?:linear|jira|notion|confluence|github|gitlab|trello|asana|figma|miro|google (?:docs?|drive)|sharepoint|slack|wiki|(?:shared |team )?(?:drive|folder|channel|board|repo|repository|calendar)|datadog|grafana|sentry|pagerduty|1password|bitwarden|vault|obsidian|dropbox|basecamp|discord|teams|youtrack|redmine|bugzilla|shortcut|clickup|airtable|readme|#[\w-]+|kibana|honeycomb|loom|zeplin)\b`)

func tracker(m []string) (reading, bool) { return reading{}, knownPlace.MatchString(m[1]) }

var thingAttr = expr(`(?i)^(?:the |our |my )((?:[\pL\d-]+ ){0,3}?[\pL\d-]+?) (url|address|repo|repository|docs|documentation|dashboard|host|path|wiki|page|site|endpoint)$`)

// thing names the slot of "the staging URL", "the API docs".
func thing(subject, value string) reading {
	m := thingAttr.FindStringSubmatch(strings.TrimSpace(subject))
	if m == nil {
		return reading{value: value}
	}
	attr := strings.ToLower(m[2])
	switch attr {
	case "documentation":
		attr = "docs"
	case "repository":
		attr = "repo"
	}
	return reading{entity: strings.ToLower(m[1]), attribute: attr, value: value}
}
