package secrets

import (
	"regexp"
	"sync"
)

// threatRule recognizes one way of commanding a reader.
type threatRule struct {
	name    string
	anchors []string // a match begins with one of these, in any ASCII case
	pattern string   // RE2, in any case
}

// maxThreat bounds a threatening phrase, in bytes.
const maxThreat = 280

// Parts of the patterns.
const (
	// agentTags are tags by which programs and models tell apart speakers and code to
	// run; documents do not have them.
	agentTags = `(?:system|assistant|developer|agent|model|admin|hidden|new|ai|user|human)[-_ ](?:reminder|prompt|message|instructions?|note|directives?|override|turn|reply|input)|function_?calls?|function_?results?|invoke\s+name|(?:antml|anthropic):\w+|tool_(?:use|calls?|results?|responses?|code|outputs?)|` +
		`start_of_turn|end_of_turn|start_header_id|end_header_id|(?:recalled|relevant|retrieved|strata|session|core|agent)[-_](?:memory|memories)`
	// agentBlocks are tags that do harm only as closing tags.
	agentBlocks = `memory|memories|system|human|assistant|instructions|think(?:ing)?|workspace-files|standing-rules|conversation-summary|context-note`
	// secretSource matches places where secrets are stored, and shell variables that hold
	// them.
	secretSource = "(?:\\$\\{?\\w*(?:token|secret|passw|api_?key|credential|private_?key)\\w*|\\.env\\b|id_rsa|id_ed25519|" +
		"\\.ssh/|\\.aws/|\\.netrc|\\.pgpass|/etc/(?:passwd|shadow)|[$(`](?:env|printenv|cat)\\b)"
)

// threatRules match text that is a threat by its form: the markup by which models and
// programs tell speakers apart, and commands that send data away. The meaning of
// sentences is judged by [signals].
var threatRules = []threatRule{
	{"chat-markup", []string{"<|"}, `<\|[\w▁ -]{2,40}\|>`},
	{"chat-markup", []string{"[INST", "[/INST", "<<SYS", "<</SYS"}, `(?:\[/?INST\]|<</?SYS>>)`},
	{"chat-markup", []string{"[AVAILABLE_TOOLS", "[TOOL_", "[/TOOL_", "[SYSTEM_PROMPT", "[/SYSTEM_PROMPT"}, `\[/?(?:AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT)\]`},
	{"chat-markup", []string{"<s", "<f", "<i", "<t", "<a", "<r", "<e", "<c", "<d", "</", "< "}, `<\s*/?\s*(?:` + agentTags + `)\b[^<>]{0,80}>`},
	{"chat-markup", []string{"</", "< /"}, `<\s*/\s*(?:` + agentBlocks + `)\b[^<>]{0,80}>`},
	{"chat-markup", []string{"###"}, `#{3,}\s*(?:system|new|developer)(?:\s+(?:prompt|message|instructions?))?\s*:`},
	{"chat-markup", []string{`"tool_use"`, `"function_call"`, `"tool_calls"`, `"tool_call"`}, `"\w+"(?:\s*[:,}])`},
	{"chat-markup", []string{`"role"`, `'role'`}, `['"]role['"]\s*:\s*['"](?:system|developer|assistant|tool|user)['"]`},
	{"chat-markup", []string{`"tool"`, `"function"`, `"name"`, `"tool_name"`, `"recipient_name"`}, `"\w+"\s*:\s*"[\w.:-]{1,64}"\s*,\s*"(?:arguments|args|input|parameters|params|tool_input)"\s*:\s*[{"]`},
	{"exfiltration", []string{"curl", "wget"},
		`(?:curl|wget)\b[^\n]{0,120}?(?:\s(?:(?-i:-d|-F|-T)|--data[\w-]*|--form|--upload-file|--post-(?:data|file))[=\s]*[^\n]{0,60}?` +
			`|https?://[^\s"']{0,100}?[?/=][^\s"']{0,60}?)` + secretSource},
	{"exfiltration", []string{"cat "}, `cat\s+[^\n|]{0,60}` + secretSource + `[^\n|]{0,40}\|\s*(?:curl|wget|nc|ncat|ssh|base64)\b`},
	{"exfiltration", []string{"env ", "printenv"}, `(?:env|printenv)\s*\|\s*(?:curl|wget|nc|ncat)\b`},
	{"exfiltration", []string{"!["}, `!\[[^\]\n]{0,60}\]\(https?://[^)\s]{0,100}\?[^)\s]{0,60}?(?:=[{<$]|=%7b|\b(?:data|prompt|conversation|history|leak|exfil)=)`},
	{"remote-code", []string{"nc ", "ncat ", "netcat "}, `(?:nc|ncat|netcat)\s+(?:[\w.-]+\s+){0,4}?-\w*e\s+(?:/bin/|/usr/bin/|cmd|powershell|sh\b|bash\b)`},
	{"remote-code", []string{"/dev/tcp/"}, `/dev/tcp/[\w.$-]+/\d*`},
	{"remote-code", []string{"base64"}, `base64\s+(?:-d|-D|--decode)\b[^\n|]{0,60}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b`},
}

// threatIndex is the compiled table of threat rules. It is built once and then only read.
var threatIndex = sync.OnceValue(func() *index {
	ix := newIndex()
	for _, r := range threatRules {
		re := regexp.MustCompile(`^(?i:` + r.pattern + `)`)
		hit := func(s *scanner, at int) { s.threat(r.name, re, at) }
		for _, a := range r.anchors {
			ix.add(a, true, hit)
		}
	}
	return ix
})

// threat adds the phrase that begins at text[at:], if re matches it.
func (s *scanner) threat(name string, re *regexp.Regexp, at int) {
	if at > 0 && isAlnum(s.text[at]) && isAlnum(s.text[at-1]) {
		return // inside a word: "concat ", "func "
	}
	if m := re.FindStringIndex(s.text[at:min(at+maxThreat, len(s.text))]); m != nil {
		s.threats = append(s.threats, Threat{Rule: name, Start: at, End: at + m[1]})
	}
}
